// Codes for pinned tool definitions.
import { define, quote } from "./define.ts";

export const pinCodes = {
  "pin/lost": define<{ name: string }>(
    "warning",
    (p) =>
      `the pins of ${quote(p.name)} are gone: until it is pinned again, none of its tools may be called`,
    "What you accepted of a server is kept in the state folder. The file with the hashes is gone or broken while the server is known as pinned, and what nobody can compare with is not trusted again in silence. `fenzi mcp pin NAME` shows what the server offers and pins it.",
  ),
};
