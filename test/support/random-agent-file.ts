// Random agents' own files as people keep them: JSON with comments, odd blanks and trailing commas, TOML with comments and
// tables of all kinds, in every line end, with and without a byte order mark.
import * as fc from "fast-check";

const eol = fc.constantFrom("\n", "\r\n");
const bom = fc.constantFrom("", "", "", "\uFEFF");
const word = fc.constantFrom(
  "a",
  "b",
  "mcpServers",
  "mcp",
  "permission",
  "permissions",
  "env",
  "über",
  "constructor",
  "__proto__",
);
const scalar = fc.constantFrom(
  "1",
  "true",
  '"text"',
  '"// no comment"',
  '"{"',
  '"a,b"',
  "null",
);

/** Blanks and comments between two tokens. `line`: what ends a comment. */
const gap = (line: string) =>
  fc.constantFrom(
    "",
    "",
    "",
    " ",
    line,
    `${line}  `,
    `${line}\t`,
    `/* c, } */`,
    ` // it's, a "note" }${line}`,
    `${line}  // one${line}  // two${line}  `,
  );

/** An object's text. Under keys that hold servers or rules there are only objects. */
const objectText = (line: string): fc.Arbitrary<string> =>
  fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      tie("object"),
      fc
        .array(fc.tuple(gap(line), scalar, gap(line)), { maxLength: 3 })
        .map((items) => `[${items.map((i) => i.join("")).join(",")}]`),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(
          fc.tuple(
            fc.tuple(gap(line), word, gap(line), gap(line), tie("value")),
            gap(line),
          ),
          { maxLength: 4, selector: ([[, key]]) => key },
        ),
        gap(line),
        fc.boolean(),
      )
      .map(([members, last, trailing]) => {
        const text = members
          .map(
            ([[before, key, colon, behind, value], after]) =>
              `${before}${JSON.stringify(key)}${colon}:${behind}${
                HOLDERS.has(key) && !value.startsWith("{") ? "{}" : value
              }${after}`,
          )
          .join(",");
        return `{${text}${trailing && members.length > 0 ? "," : ""}${last}}`;
      }),
  })).object;

const HOLDERS = new Set(["mcpServers", "mcp", "permission", "permissions"]);

export const jsonFile: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom("", " \n", "\uFEFF", "// only\n") },
  {
    weight: 12,
    arbitrary: eol.chain((line) =>
      fc
        .tuple(bom, gap(line), objectText(line), gap(line))
        .map((parts) => parts.join("")),
    ),
  },
);

const tomlLine = fc.constantFrom(
  "# a comment, `[mcp_servers.files]`",
  "",
  "  ",
  'model = "x" # why',
  "'quoted key' = '''\nmany\n[mcp_servers.files]\n'''",
  "list = [ 1, # one\n  2,\n]",
  'inline = { a = 1, "b.c" = { d = [ "]" ] } }',
  "dotted.key = 1979-05-27 07:32:00",
);
const tomlTable = fc.constantFrom(
  "[mcp_servers.mine]\ncommand = 'x'\nenv = { A = \"1\" }",
  '[mcp_servers."mine.too"]\nurl = "https://x.example/mcp"',
  "[profiles.fast]\nmodel = 'y'",
  "[[rules]]\nallow = [ 'a' ]\n[[rules]]\n",
  "[x.constructor]\n__proto__ = 1",
  "[ tools . 'a' ]\non = true # yes",
  "[permission]\nallow = []",
);

export const tomlFile: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom("", "\n\n", "\uFEFF", "# only") },
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        eol,
        bom,
        fc.uniqueArray(tomlLine, { maxLength: 4 }),
        fc.uniqueArray(tomlTable, { maxLength: 4 }),
        fc.boolean(),
      )
      .map(
        ([line, mark, lines, tables, ends]) =>
          mark +
          [...lines, ...tables].join("\n").replaceAll("\n", line) +
          (ends ? line : ""),
      ),
  },
);
