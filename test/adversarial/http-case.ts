// The hostile HTTP cases of the shared file, in our terms: the policy as a line of fenzi.yaml, placeholders filled in.
// The notation is described beside that file.
import { existsSync, readFileSync } from "node:fs";

const SHARED = "../shared/cases/adversarial.jsonl";

export interface HttpCase {
  readonly id: string;
  readonly title: string;
  readonly policy: {
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly all: boolean;
  };
  readonly input: CaseInput;
  readonly expect: CaseExpect;
}

export interface PostInput {
  readonly kind: "post";
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type CaseInput =
  | PostInput
  | {
      readonly kind: "raw";
      readonly bytes: string;
      readonly then?: string;
    }
  | {
      readonly kind: "upstream";
      readonly client: PostInput;
      readonly upstream: string | Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "steps"; readonly steps: readonly unknown[] };

export interface CaseExpect {
  readonly outcome: string;
  readonly status: number | string | readonly number[];
  readonly forwarded: boolean | string | readonly boolean[];
  readonly also_ok?: string;
  readonly client_receives?: Readonly<Record<string, unknown>>;
  readonly upstream_receives?: Readonly<Record<string, unknown>>;
  readonly connection?: string;
}

/** Empty where the shared folder is not at hand. */
export const httpCases: readonly HttpCase[] = existsSync(SHARED)
  ? readFileSync(SHARED, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map(
        (line) => JSON.parse(line) as HttpCase & { readonly surface: string },
      )
      .filter((c) => c.surface === "http")
  : [];

export const toolsOf = ({ policy }: HttpCase): string =>
  `{ allow: ${policy.all ? "all" : JSON.stringify(policy.allow)}, deny: ${JSON.stringify(policy.deny)} }`;

/** Placeholders of one running gateway. */
export interface Filling {
  readonly url: string;
  readonly token: string;
  /** How often one text is repeated at most. */
  readonly most?: number;
}

export function fill(text: string, { url, token, most }: Filling): string {
  const { host, port, pathname } = new URL(url);
  const [, key = ""] = pathname.split("/");
  let out = text
    .replaceAll("{PATH}", pathname)
    .replaceAll("{HOST}", host)
    .replaceAll("{PORT}", port)
    .replaceAll("{AUTH}", "")
    .replaceAll("{TOKEN}", token)
    // The cases' own form of a path is another than ours.
    .replace(/ \/s\/(\S+)\/mcp /, ` /${key}/$1 `)
    .replace(" /S/DEMO/MCP ", ` /${key}/DEMO `);
  for (;;) {
    const next = out.replace(
      /\{\{(?!\{)((?:(?!\{\{|\}\})[\s\S])*?)\*(\d+)\}\}/g,
      (_, what: string, times: string) =>
        repeated(what, Math.min(Number(times), most ?? Infinity)),
    );
    if (next === out) return out;
    out = next;
  }
}

const repeated = (what: string, times: number): string =>
  what === "KEYS"
    ? Array.from({ length: times }, (_, i) => `"k${i}":0`).join(",")
    : what.repeat(times);
