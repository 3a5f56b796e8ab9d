// Codes for pinned tool definitions.
import { visible } from "../visible.ts";
import { define, quote } from "./define.ts";

export const pinCodes = {
  "pin/lost": define<{ name: string }>(
    "warning",
    (p) =>
      `the pins of ${quote(p.name)} are gone: until it is pinned again, none of its tools may be called`,
    "What you accepted of a server is kept in the state folder. The file with the hashes is gone or broken while the server is known as pinned, and what nobody can compare with is not trusted again in silence. `fenzi mcp pin NAME` shows what the server offers and pins it.",
  ),
  "pin/no-answer": define<{ name: string; reason: string }>(
    "error",
    (p) => `the server ${quote(p.name)} ${visible(p.reason)}`,
    "The server was asked for its tools, and no list came of it. Nothing was called and nothing was pinned.",
  ),
  "pin/changed": define<{ name: string; count: number; what: string }>(
    "warning",
    (p) =>
      `${quote(p.name)} has changed ${p.what} since it was pinned: ${p.count === 1 ? "it is" : "they are"} withheld`,
    "The server offers something else under the same names than what a person looked at. Tools are hidden and their calls refused, instructions are taken out, until somebody has read the change and pins it: `fenzi mcp pin NAME`.",
  ),
  "pin/withheld": define<{ name: string; tool: string; reason: string }>(
    "warning",
    (p) =>
      `${quote(p.tool)} of ${quote(p.name)} is shown to no agent: ${p.reason}`,
    "A definition with characters that nobody can see, a schema that points elsewhere on the net, or a size that no honest tool has, is withheld whatever the rules say, and cannot be pinned.",
  ),
};
