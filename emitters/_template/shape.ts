// The agent's own file, as far as Fenzi writes it. Measured with the version below. A new target names here the page that
// documents the format.

export const VERSION = "0.0.0";

export type TemplateServer = (
  | {
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
    }
  | {
      readonly command: readonly string[];
      readonly env: { readonly [name: string]: string };
      readonly cwd: string;
    }
) & {
  readonly tools: {
    readonly allow: "all" | readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
};

export type ServersFile = {
  readonly servers: { readonly [name: string]: TemplateServer };
};

/** Settings that hold servers, rules or trust, dotted where they lie deeper. */
export const RESERVED: readonly string[] = ["servers"];

/** What the agent reads in its folder, or runs from there, and does not make itself. */
export const READS: readonly string[] = ["hooks.json"];
