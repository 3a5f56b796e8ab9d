// Where the text of an edit goes, form by form: below the command line (many commands edit) and before the laws (which
// cannot say how a result should look).
import { describe, expect, test } from "vitest";
import {
  removeServer,
  setServer,
  type Entry,
} from "../../src/format/yaml-edit.ts";

const LINEAR: Entry = {
  url: "https://mcp.linear.app/mcp",
  token: true,
  tools: { allow: ["list_issues", "get_issue"], deny: ["delete_issue"] },
};
const SMALL: Entry = { command: ["npx", "-y", "@scope/x"] };

const added = (text: string, entry: Entry = SMALL): string => {
  const edit = setServer(text, "new", entry);
  return "problem" in edit ? `problem: ${edit.problem}` : edit.text;
};
const removed = (text: string, name = "old"): string => {
  const edit = removeServer(text, name);
  return "problem" in edit ? `problem: ${edit.problem}` : edit.text;
};

describe("a new server", () => {
  test("looks like the documentation's", () => {
    expect(setServer("", "linear", LINEAR)).toEqual({
      text: `version: 1
mcp:
  linear:
    url: https://mcp.linear.app/mcp
    token: true
    tools: { allow: [list_issues, get_issue], deny: [delete_issue] }
`,
      comments: [],
    });
  });

  test.each([
    [
      "comments only",
      "# mine\n",
      `# mine\nversion: 1\nmcp:\n  new:\n    command: [npx, -y, "@scope/x"]\n`,
    ],
    [
      "no final line break",
      "# mine",
      `# mine\nversion: 1\nmcp:\n  new:\n    command: [npx, -y, "@scope/x"]`,
    ],
    [
      "an end mark",
      "---\n# mine\n...\n",
      `---\n# mine\nversion: 1\nmcp:\n  new:\n    command: [npx, -y, "@scope/x"]\n...\n`,
    ],
    [
      "no mcp",
      "version: 1\nairGap: true # a\n# z\n",
      `version: 1\nairGap: true # a\n# z\nmcp:\n  new:\n    command: [npx, -y, "@scope/x"]\n`,
    ],
    [
      "mcp: {}",
      "version: 1\nmcp: {} # a\n",
      `version: 1\nmcp: # a\n  new:\n    command: [npx, -y, "@scope/x"]\n`,
    ],
    [
      "mcp without a value",
      "version: 1\nmcp:\n  # later\n# z\n",
      `version: 1\nmcp:\n  # later\n  new:\n    command: [npx, -y, "@scope/x"]\n# z\n`,
    ],
    [
      "a wide indentation",
      "mcp:\n    old:\n        url: u\nairGap: true\n",
      `mcp:\n    old:\n        url: u\n    new:\n        command: [npx, -y, "@scope/x"]\nairGap: true\n`,
    ],
    [
      "Windows line ends",
      "mcp:\r\n  old:\r\n    url: u",
      `mcp:\r\n  old:\r\n    url: u\r\n  new:\r\n    command: [npx, -y, "@scope/x"]`,
    ],
    [
      "a byte order mark",
      "\ufeffmcp: {}\n",
      `\ufeffmcp:\n  new:\n    command: [npx, -y, "@scope/x"]\n`,
    ],
    [
      "comments behind the last entry",
      "mcp:\n  old:\n    url: u # a\n    # in old\n  # off: {}\n\n# hosts\nhosts: []\n",
      `mcp:\n  old:\n    url: u # a\n    # in old\n  # off: {}\n  new:\n    command: [npx, -y, "@scope/x"]\n\n# hosts\nhosts: []\n`,
    ],
    [
      "blank lines between entries",
      "mcp:\n  a: { url: u }\n\n  b: { url: u }\n",
      `mcp:\n  a: { url: u }\n\n  b: { url: u }\n\n  new:\n    command: [npx, -y, "@scope/x"]\n`,
    ],
    [
      "flow style on one line",
      "mcp: { old: { url: u } }\n",
      `mcp: { old: { url: u }, new: { command: [npx, -y, "@scope/x"] } }\n`,
    ],
    [
      "flow style on many lines",
      "mcp: {\n  old: { url: u } # a\n}\n",
      `mcp: {\n  old: { url: u }, # a\n  new: { command: [npx, -y, "@scope/x"] }\n}\n`,
    ],
    [
      "JSON",
      '{ "version": 1, "mcp": { "old": { "url": "u" } } }',
      `{ "version": 1, "mcp": { "old": { "url": "u" }, new: { command: [npx, -y, "@scope/x"] } } }`,
    ],
    [
      "an empty flow mapping",
      "{}\n",
      `{ version: 1, mcp: { new: { command: [npx, -y, "@scope/x"] } } }\n`,
    ],
  ])("with %s", (_, before, after) => {
    expect(added(before)).toBe(after);
  });

  test("breaks what does not fit on a line", () => {
    const long = Array.from(
      { length: 12 },
      (_, i) => `a_tool_with_a_name_${i}`,
    );
    expect(
      added("mcp: {}\n", { url: "u", tools: { allow: long, deny: ["x"] } }),
    ).toBe(`mcp:
  new:
    url: u
    tools:
      allow:
${long.map((tool) => `        - ${tool}\n`).join("")}      deny: [x]
`);
  });

  test("quotes what some reader would take for something else, and nothing more", () => {
    const words = [
      "no",
      "on",
      "y",
      "~",
      "null",
      "1.10",
      "012",
      "1e3",
      "12:30",
      "<<",
      "=",
      "2001-01-01",
      ".inf",
      "0x1f",
      "",
      "a: b",
      "a #b",
      "- a",
      "*",
      "&a",
      "!a",
      "%a",
      "@a",
      "a,b",
      "a]",
      "${A}",
      "a\nb",
      "a\u0085b",
      "\ufeff",
      " a",
      "'a'",
    ];
    const plain = [
      "npx",
      "-y",
      "--db-path",
      "data.db",
      "/sandbox",
      "query_*",
      "https://h/p?a=b#c",
      "A=b",
      "a b",
      "é",
      "🎉",
      "v1.10.2",
      "a@b",
      "nose",
      "$HOME",
    ];
    const text = added("mcp: {}\n", { command: [...words, ...plain] });
    const list = text.slice(text.indexOf("- "));
    expect(
      list
        .split("\n")
        .map((line) => line.trim().slice(2))
        .filter(Boolean),
    ).toEqual(
      [
        ...words.map((w) =>
          JSON.stringify(w)
            .replace("\u0085", "\\u0085")
            .replace("\ufeff", "\\ufeff"),
        ),
        ...plain,
      ].map((line, i) =>
        i < words.length && ["a,b", "a]", "${A}"].includes(words[i] ?? "")
          ? words[i]
          : line,
      ),
    );
  });
});

describe("a removed server", () => {
  test.each([
    [
      "its lines go, those around stay",
      "mcp:\n  # above\n  old: # a\n    # b\n    url: u # c\n    # d\n  # below\n  new: {}\n",
      "mcp:\n  # above\n  # below\n  new: {}\n",
    ],
    [
      "the last one leaves {}",
      "mcp: # a\n  # above\n  old:\n    url: u\n# z\n",
      "mcp: {} # a\n  # above\n# z\n",
    ],
    ["no final line break", "mcp:\n  a: {}\n  old: {}", "mcp:\n  a: {}"],
    [
      "one blank line goes with it",
      "mcp:\n  a: {}\n\n  old: {}\n\n  b: {}\n",
      "mcp:\n  a: {}\n\n  b: {}\n",
    ],
    [
      "Windows line ends",
      "mcp:\r\n  old: {}\r\n  b: {}\r\n",
      "mcp:\r\n  b: {}\r\n",
    ],
    ["flow style, first", "mcp: { old: {}, b: {} }\n", "mcp: { b: {} }\n"],
    ["flow style, last", "mcp: { b: {}, old: {} }\n", "mcp: { b: {} }\n"],
    ["flow style, only", "mcp: { old: {} }\n", "mcp: {}\n"],
    [
      "flow style, on lines",
      "mcp: {\n  a: {}, # a\n  old: {} # o\n}\n",
      "mcp: {\n  a: {} # a\n}\n",
    ],
    ["a quoted name", 'mcp:\n  "old": {}\n  b: {}\n', "mcp:\n  b: {}\n"],
  ])("%s", (_, before, after) => {
    expect(removed(before)).toBe(after);
  });

  test.each(["|+", ">+", "|2+", "|", "|-"])(
    "leaves the blank lines of a block scalar above it, %s",
    (header) => {
      for (const blank of ["", "\n", "\n\n"])
        for (const above of ["", "  first: {}\n\n"]) {
          const text = `version: 1\nmcp:\n${above}  a:\n    command:\n      - ${header}\n        x\n${blank}`;
          expect(removed(added(text), "new")).toBe(text);
        }
    },
  );
  test("names the comments that went with it", () => {
    expect(
      removeServer(
        "mcp:\n  # above\n  old: # a\n    url: u # b\n    # c\n",
        "old",
      ),
    ).toEqual({
      text: "mcp: {}\n  # above\n",
      comments: ["# a", "# b", "# c"],
    });
  });
});

describe("a changed server", () => {
  const FILE = `mcp:
  new: # the new one
    # where
    url: https://a.example/mcp # a
    token: true
    tools:
      # reading
      allow:
        - list # l
        - get # g
      deny: [drop]
  other: {}
`;

  test("keeps what is not named", () => {
    expect(added(FILE, { url: "https://b.example/mcp" })).toBe(
      FILE.replace("a.example", "b.example"),
    );
  });
  test("gets new keys behind its others", () => {
    expect(added(FILE, { enabled: false })).toBe(
      FILE.replace("  other", "    enabled: false\n  other"),
    );
  });
  test("loses the keys that are null, and no comment above them", () => {
    expect(added(FILE, { url: null, token: null })).toBe(
      FILE.replace(/ {4}url.*\n {4}token.*\n/, ""),
    );
  });
  test("a list is changed item by item", () => {
    expect(
      added(FILE, { tools: { allow: ["get", "add"], deny: ["drop", "wipe"] } }),
    ).toBe(
      FILE.replace("        - list # l\n", "")
        .replace("- get # g\n", "- get # g\n        - add\n")
        .replace("[drop]", "[drop, wipe]"),
    );
  });
  test("a list in another order is written anew, unless it has comments", () => {
    expect(
      added(FILE, { tools: { allow: ["get", "list"], deny: ["drop"] } }),
    ).toBe("problem: the value to be changed has comments inside it");
    expect(
      added("mcp:\n  new:\n    command:\n    - a\n    - b\n", {
        command: ["b", "a"],
      }),
    ).toBe("mcp:\n  new:\n    command:\n    - b\n    - a\n");
    expect(
      added("mcp:\n  new: { command: [a, b] }\n", { command: ["b", "a"] }),
    ).toBe("mcp:\n  new: { command: [b, a] }\n");
  });
  test("a value may change its kind", () => {
    expect(
      added("mcp:\n  new:\n    tools: all # t\n", { tools: { allow: [] } }),
    ).toBe("mcp:\n  new:\n    tools: { allow: [] } # t\n");
    expect(
      added("mcp:\n  new:\n    tools:\n      allow: [a]\n# z\n", {
        tools: "all",
      }),
    ).toBe("mcp:\n  new:\n    tools: all\n# z\n");
    expect(
      added("mcp:\n  new:\n    url: |\n      x\n    token: true\n", {
        url: "z",
      }),
    ).toBe("mcp:\n  new:\n    url: z\n    token: true\n");
  });
});

describe("is refused", () => {
  test.each([
    ["what does not parse", "a: [\n", "it is not valid YAML"],
    ["two documents", "a: 1\n---\nb: 1\n", "it is not valid YAML"],
    ["a list", "- a\n", "it is not written as a mapping"],
    ["mcp of another kind", "mcp: 1\n", "`mcp` is not written as a mapping"],
    [
      "mcp by an alias",
      "a: &a { b: { url: u } }\nmcp: *a\n",
      "`mcp` is not written as a mapping",
    ],
    [
      "mcp that an alias repeats",
      "mcp: &a {}\nx: *a\n",
      "an alias (`*NAME`) ties the entry to another part of the file",
    ],
  ])("%s", (_, before, problem) => {
    expect(added(before)).toBe(`problem: ${problem}`);
  });

  test("to remove what others refer to, or what is not there", () => {
    expect(removed("mcp:\n  old: &a { url: u }\n  b: *a\n")).toBe(
      "problem: an alias (`*NAME`) ties the entry to another part of the file",
    );
    expect(removed("mcp: {}\n")).toBe("problem: it has no server `old`");
    expect(removed("version: 1\n")).toBe("problem: it has no server `old`");
  });
});
