// The text of a fenzi.lock: sorted, one line a tool, so that a change is read line by line. Pure.
import { stringify } from "yaml";
import type { Pins } from "../model/model.ts";

const HEAD = `# The tool definitions that \`fenzi mcp pin\` has pinned, by their hashes. A tool with another definition is hidden and
# refused. Pin again rather than edit.
`;

/** `servers` by name. */
export function lockText(
  servers: ReadonlyMap<string, Pick<Pins, "instructions" | "tools">>,
): string {
  const sorted = <T>(map: ReadonlyMap<string, T>) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = new Map(
    sorted(servers).map(([name, { instructions, tools }]) => [
      name,
      new Map<string, unknown>([
        ...(instructions === null
          ? []
          : [["instructions", `sha256:${instructions}`] as const]),
        [
          "tools",
          new Map(
            sorted(tools).map(([tool, hash]) => [tool, `sha256:${hash}`]),
          ),
        ],
      ]),
    ]),
  );
  // `version` comes last: a file that was cut short has none, and is refused.
  return (
    HEAD +
    stringify(
      new Map<string, unknown>([
        ["servers", entries],
        ["version", 1],
      ]),
      {
        lineWidth: 0,
      },
    )
  );
}
