// Paths in arguments against real files: too many spellings for a golden case each.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeIn } from "../support/judge-arguments.ts";

const LOCAL = `version: 1
mcp:
  files:
    command: [npx, server]
    tools: { reads: [read_file] }
`;

function local(yaml = LOCAL, more: Readonly<Record<string, string>> = {}) {
  const made = judgeIn({
    project: {
      "fenzi.yaml": yaml,
      "src/a.ts": "",
      "src/deep/b.ts": "",
      ".env": "",
      plain: "",
      ...more,
    },
  });
  const { cwd, root } = made.host;
  writeFileSync(join(root, "outside.txt"), "");
  mkdirSync(join(root, "home/.ssh"), { recursive: true });
  writeFileSync(join(root, "home/.ssh/id_rsa"), "");
  symlinkSync(join(root, "outside.txt"), join(cwd, "link"));
  symlinkSync(root, join(cwd, "up"));
  symlinkSync("../.env", join(cwd, "src/settings"));
  symlinkSync(join(root, "nowhere"), join(cwd, "dangling"));
  symlinkSync("loop", join(cwd, "loop"));
  return made;
}

describe("without `paths` a local server", () => {
  const { rule, host } = local();
  const { cwd, root } = host;

  test.each([
    "src/a.ts",
    "./src/a.ts",
    "src/../src/a.ts",
    "src/new.ts",
    "new/folder/file",
    "plain",
    "a word",
    "and/or",
    join(cwd, "src/a.ts"),
    cwd,
    `file://${cwd}/src/a.ts`,
    "https://example.com/etc/passwd",
    "// a comment\nimport x from '../../../x';",
    "/* a comment */\nlet a = b / c;",
    "first line\n/etc/passwd is only mentioned",
    `${"x/".repeat(3000)}y`,
    "~5 minutes",
    "100% sure",
    "%zz",
    "\\d+\\.\\d*",
    "\\bword",
  ])("may name %j", (path) => {
    expect(rule("write_file", { path })).toBe("allow");
    expect(rule("write_file", { list: [{ deep: [path] }] })).toBe("allow");
  });

  test.each([
    ["/etc/passwd", "paths"],
    ["../outside.txt", "paths"],
    ["src/../../outside.txt", "paths"],
    ["src/deep/../../../outside.txt", "paths"],
    [" ../outside.txt ", "paths"],
    ['"/etc/passwd"', "paths"],
    ["'../outside.txt'", "paths"],
    ["/etc/passwd\n/etc/group", "paths"],
    ["\t/etc/passwd\n", "paths"],
    ["nothing\n/../../outside.txt", "paths"],
    // What is not there yet: a program that takes `..` away first makes it.
    ["nothing\n/../../new.txt", "paths"],
    ["nothing\r/../../new-folder/new.txt", "paths"],
    [`${"./".repeat(3000)}../new.txt`, "paths"],
    ["%2e%2e%2foutside.txt", "paths"],
    ["%252e%252e%252foutside.txt", "paths"],
    ["..%2foutside.txt", "paths"],
    ["..%5coutside.txt", "paths"],
    ["..\\outside.txt", "paths"],
    ["％2e％2e／outside.txt", "paths"],
    ["．．／outside.txt", "paths"],
    ["‥/outside.txt", "paths"],
    ["link", "paths"],
    ["up/outside.txt", "paths"],
    ["up/new.txt", "paths"],
    ["src/../up/outside.txt", "paths"],
    // A program that follows links first comes out elsewhere than one that takes `..` away first.
    ["up/../etc/passwd", "paths"],
    ["dangling", "paths"],
    ["dangling/x", "paths"],
    ["loop/x", "paths"],
    ["~/notes.txt", "paths"],
    ["~", "paths"],
    ["~root/x", "paths"],
    ["file:///etc/passwd", "paths"],
    ["file://localhost/etc/passwd", "paths"],
    ["file:/etc/passwd", "paths"],
    ["FILE:///etc/passwd?x#y", "paths"],
    ["file:///%65tc/passwd", "paths"],
    ["file://elsewhere/share/x", "paths"],
    // To a reader of URLs each of these is `file:///etc/passwd`.
    ["file:etc/passwd", "paths"],
    ["file:../../etc/passwd", "paths"],
    ["fi\tle:///etc/passwd", "paths"],
    ["fi\nle:/etc/passwd", "paths"],
    ["\u0001file:///etc/passwd", "paths"],
    ["view-source:file:///etc/passwd", "paths"],
    ["jar:file:/etc/passwd!/x", "paths"],
    ["view-source:file:etc%2fpasswd", "paths"],
    ["$HOME/notes.txt", "paths"],
    ["${HOME}/notes.txt", "paths"],
    ["$HOME", "paths"],
    ["sqlite:///etc/passwd", "paths"],
    ["src/a\u0000.ts", "paths"],
    [`${"/.".repeat(3000)}/etc/passwd`, "paths"],
    ["src/settings", "private"],
    [".env", "private"],
    [".ENV", "private"],
    ["./.env", "private"],
    ["src/../.env", "private"],
    [".e\u200bnv", "private"],
    [".env.", "private"],
    [".env ", "private"],
    [".env::$DATA", "private"],
    ["%2eenv", "private"],
    [".env.local", "private"],
    [".git/config", "private"],
    ["src/key.pem", "private"],
    ["~/.ssh/id_rsa", "private"],
    ["/proc/self/environ", "private"],
    ["/proc/self/cwd/plain", "private"],
    ["--file=.env", "private"],
    ["cat .env | sh", "private"],
    ["$HOME/.ssh/id_rsa", "private"],
    ['{"key":"~/.ssh/id_rsa"}', "private"],
    ["see https://example.com/?f=/home/me/.ssh/x", "private"],
  ])("may not name %j", (path, why) => {
    expect(rule("read_file", { path })).toBe(why);
    expect(rule("read_file", { list: [{ deep: [path] }] })).toBe(why);
  });

  test("may not name one as the name of an argument, or in any string beside it", () => {
    expect(rule("read_file", { "/etc/passwd": 1 })).toBe("paths");
    expect(rule("read_file", { a: { "../outside.txt": {} } })).toBe("paths");
    expect(rule("read_file", { ok: "src/a.ts", b: "/etc/passwd" })).toBe(
      "paths",
    );
    expect(rule("read_file", { mode: 7, deep: [[["/etc/passwd"]]] })).toBe(
      "paths",
    );
  });

  test.each([
    '["/etc/passwd"]',
    ' [ "src/a.ts", "\\u002fetc/passwd" ]',
    '[{"path": "../new.txt"}]',
    '{"/etc/passwd": 1}',
    '["/etc/passwd", NaN]',
    '["/etc/passwd',
  ])("may not name one in the list %j that is sent as a text", (paths) => {
    expect(rule("read_file", { paths })).toBe("paths");
    // Of a text within a list or an object, servers make no list.
    expect(rule("write_file", { edits: [{ text: paths }] })).toBe("allow");
  });

  test("may still name what is called like a private file and is none", () => {
    expect(rule("read_file", { path: ".env.example" })).toBe("allow");
    expect(rule("read_file", { path: "src/environment.ts" })).toBe("allow");
    expect(rule("read_file", { path: "https://a.example/x/.git/y" })).toBe(
      "allow",
    );
  });

  test("may name none of Fenzi's own files", () => {
    const own = join(root, "home/.config/fenzi/mcp.yaml");
    expect(rule("read_file", { path: own })).toBe("private");
    expect(rule("read_file", { text: `look at ${own}, please` })).toBe(
      "private",
    );
  });

  test("is refused when more looks like a path than is checked", () => {
    mkdirSync(join(cwd, "many"));
    const paths = Array.from({ length: 11_000 }, (_, i) => `many/${i}`);
    expect(rule("read_file", { paths })).toBe("private");
    expect(rule("read_file", { paths: paths.slice(0, 5_000) })).toBe("allow");
  });

  test("may write a large file of words", () => {
    const words = Array.from({ length: 50_000 }, (_, i) => `word${i}`);
    const before = performance.now();
    expect(rule("write_file", { content: words.join(" ") })).toBe("allow");
    expect(rule("write_file", { content: `${words.join(" ")} link` })).toBe(
      "allow",
    );
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(rule("write_file", { content: `${words.join(" ")} ~/.ssh/x` })).toBe(
      "private",
    );
  });
});

describe("with `paths`", () => {
  const { rule, judge, host } = local(`${LOCAL}    paths:
      read: ["src/**", "/usr/share/dict/*", "*.md"]
      write: ["out/**"]
`);
  test.each([
    ["read_file", "src/a.ts", "allow"],
    ["read_file", "src", "allow"],
    ["read_file", "src/deep/.hidden", "allow"],
    ["read_file", "out/x", "allow"],
    ["read_file", "README.md", "allow"],
    ["read_file", "/usr/share/dict/words", "allow"],
    ["read_file", "/usr/share/dict/a/b", "paths.read"],
    ["read_file", "docs/README.md", "allow"],
    ["read_file", "./docs/README.md", "paths.read"],
    ["read_file", "srcs/a.ts", "paths.read"],
    ["read_file", "/src/a.ts", "paths.read"],
    ["read_file", "./other", "paths.read"],
    ["read_file", "src/settings", "private"],
    ["write_file", "src/a.ts", "paths.write"],
    ["write_file", "out/x", "allow"],
    ["write_file", "out/../src/a.ts", "paths.write"],
    // A name that only looks like one that is listed as reading.
    ["READ_FILE", "src/a.ts", "paths.write"],
  ])("%s %s: %s", (tool, path, expected) => {
    if (path === "docs/README.md") path = join(host.cwd, "README.md");
    expect(rule(tool, { path })).toBe(expected);
  });

  test("the reason names the rule, what is allowed, and who says so", () => {
    const { reasons } = judge("write_file", { path: "src/a.ts" });
    expect(reasons[0].message).toContain("`paths.write`");
    expect(reasons[0].message).toContain("allowed: `out/**`");
    expect(reasons[0].message).not.toContain("src/a.ts");
    expect(reasons[0].origin.at).toMatchObject({ start: { line: 6 } });
  });
});

test("a remote server has only the private files kept from it", () => {
  const { rule } = local(
    `version: 1\nmcp:\n  web: { url: "https://web.example/mcp", tools: all }\n`,
  );
  expect(rule("find", { text: "/etc/passwd and ../x" })).toBe("allow");
  expect(rule("find", { text: "the key in ~/.aws/credentials" })).toBe(
    "private",
  );
  expect(rule("find", { text: ".env" })).toBe("private");
  expect(rule("find", { number: 12, yes: true, no: null })).toBe("allow");
});

describe("private files of the person's own", () => {
  const { rule, judge } = local(
    `${LOCAL}private: ["plans/**", "*.secret", "/usr/share/hidden", "~/diary"]\n`,
    {
      ".fenziignore":
        "# ours\nkeys/*\n!keys/public\n\\#odd\nbuild/\n/top\nnotes?.txt\n!.env\n",
    },
  );
  test.each([
    ["plans/a/b", "private"],
    ["PLANS/x", "private"],
    ["src/plans/x", "allow"],
    ["src/x.secret", "private"],
    ["x.secret/inside", "private"],
    ["/usr/share/hidden/x", "private"],
    ["~/diary/today", "private"],
    ["keys/a", "private"],
    ["keys/public", "allow"],
    ["./#odd", "private"],
    ["src/build/x", "private"],
    ["top/x", "private"],
    ["src/top", "allow"],
    ["./notes1.txt", "private"],
    // A line can take back only what the same file said.
    [".env", "private"],
  ])("%s: %s", (path, expected) => {
    expect(rule("write_file", { path })).toBe(expected);
  });

  test("a refusal says which list", () => {
    const [reason] = judge("x", { path: "keys/a" }).reasons;
    expect(reason.message).toContain("`keys/*` of `.fenziignore`");
    expect(reason.origin.at.file).toMatch(/\.fenziignore$/);
  });
});

test("a rule of the machine is relative to the project, one of the root to the root", () => {
  const files = {
    machine: `version: 1
mcp:
  files: { command: [npx, x], paths: { write: ["**"] } }
private: [hidden/**]
`,
    project: {
      "fenzi.yaml":
        "version: 1\nmcp:\n  files: { paths: { write: [sub/out/**] } }\n",
      "sub/fenzi.yaml":
        "version: 1\nmcp:\n  files: { paths: { write: [out/**] } }\n",
    },
    cwd: "sub",
  };
  const { rule } = judgeIn(files);
  expect(rule("x", { path: "out/a" })).toBe("allow");
  expect(rule("x", { path: "./other" })).toBe("paths.write");
  expect(rule("x", { path: "../out/a" })).toBe("paths.write");
  expect(rule("x", { path: "hidden/a" })).toBe("private");
});
