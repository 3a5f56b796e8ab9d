// Codes for tool rules.
import { define, nearestHint, quote, serverHint } from "./define.ts";

export const toolCodes = {
  "tools/lone-star": define<Record<never, never>>(
    "error",
    () => 'a lone `"*"` is not a pattern here; write `allow: all`',
    "Everything, now and later, must be asked for in so many words: `tools: all`.",
  ),
  "tools/rule": define<{ rule: string; reason: string }>(
    "error",
    (p) => `${quote(p.rule)} ${p.reason}`,
    "A tool rule is an exact name, or a pattern in which `*` stands for any run of characters. There is no negation: use `deny`.",
  ),
  "tools/never-matches": define<{ rule: string; reason: string }>(
    "warning",
    (p) => `${quote(p.rule)} can never match: ${p.reason}`,
    "Patterns and `all` cover names of letters, digits, `_`, `.` and `-`, up to 128 characters. Any other name needs an exact entry.",
  ),
  "tools/ask-not-allowed": define<{ rule: string }>(
    "warning",
    (p) =>
      `${quote(p.rule)} is under \`ask\` but not allowed, so it stays refused`,
    "`ask` never allows: a tool must be allowed by every layer and is then asked about. Add it to `allow` as well.",
  ),
  "explain/unknown-server": define<{ name: string; nearest: string | null }>(
    "error",
    (p) => `there is no server ${quote(p.name)}${serverHint(p.nearest)}`,
    "The name is not in any of the files that count here. `fenzi mcp list` shows them all.",
  ),
  "explain/unknown-code": define<{ code: string; nearest: string | null }>(
    "error",
    (p) => `there is no code ${quote(p.code)}${nearestHint(p.nearest)}`,
    "`fenzi explain CODE` explains a code in square brackets at the end of a message.",
  ),
};
