import type { Command } from "./stdio-client.mjs";

export function guardCommand(world: {
  readonly folder: string;
  readonly name: string;
  readonly project?: object;
  readonly machine?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly trusted?: boolean;
  readonly cli?: string;
}): Command & { readonly log: string };
