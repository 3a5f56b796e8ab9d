// The hostile cases for a guard, from the shared file; none when it is not there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface StdioCase {
  readonly id: string;
  readonly title: string;
  readonly policy: {
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly all: boolean;
  };
  readonly input: {
    /** Chunks that the agent writes, or bytes. */
    readonly agent?: readonly string[];
    readonly agent_latin1?: readonly string[];
    readonly agent_hex?: string;
    /** Chunks that the server writes to its standard output, or standard error. */
    readonly server?: readonly string[];
    readonly server_stderr?: readonly string[];
    readonly eof?: boolean;
  };
  readonly expect: {
    readonly outcome: string;
    readonly forwarded?: boolean | readonly boolean[];
  };
}

const file = join(
  import.meta.dirname,
  "../../../shared/cases/adversarial.jsonl",
);

export const stdioCases: readonly StdioCase[] = existsSync(file)
  ? readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as StdioCase & { surface: string })
      .filter(({ surface }) => surface === "stdio")
  : [];

/** `{{S*N}}` written out, but not longer than a test needs. */
export const fill = (text: string, token: string, most: number): string =>
  text
    .replaceAll("{TOKEN}", token)
    .replace(/\{\{([^]+?)\*(\d+)\}\}/g, (_whole, part: string, count: string) =>
      part.repeat(Math.min(Number(count), Math.floor(most / part.length))),
    );
