// What `mcp add` writes, by running it: golden cases show one idea each; these are the rows of the flags.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHost } from "../support/test-host.ts";
import { run } from "./run.ts";

const URL = "https://mcp.example.com/mcp";
const add = (...words: readonly string[]) => ["mcp", "add", ...words];
const HEAD = "version: 1\nmcp:\n";

test.each<[string, readonly string[], string]>([
  [
    "a remote server with its tools",
    ["wiki", URL, "--tool", "read", "--tool", "list", "--tool", "read"],
    `  wiki:\n    url: ${URL}\n    tools: { allow: [read, list] }\n`,
  ],
  [
    "a remote server with all tools",
    ["wiki", URL, "--all-tools"],
    `  wiki:\n    url: ${URL}\n    tools: all\n`,
  ],
  [
    "all tools but some",
    ["wiki", URL, "--all-tools", "--deny", "drop_*", "--ask", "write"],
    `  wiki:\n    url: ${URL}\n    tools: { allow: all, ask: [write], deny: [drop_*] }\n`,
  ],
  [
    "a token and a header",
    ["wiki", URL, "--token", "--header", "X-Team: red: blue", "--all-tools"],
    `  wiki:\n    url: ${URL}\n    token: true\n    headers: { X-Team: "red: blue" }\n    tools: all\n`,
  ],
  [
    "a command with flags of its own",
    ["files", "--", "npx", "-y", "srv", "--", "--port", "1"],
    `  files:\n    command: [npx, -y, srv, --, --port, "1"]\n`,
  ],
  [
    "a command with variables and rules",
    [
      "db",
      "--env",
      "KEY=${DB_KEY}",
      "--env",
      "A=b=c",
      "--deny",
      "drop",
      "--",
      "uvx",
      "x",
    ],
    `  db:\n    command: [uvx, x]\n    env: { KEY: "\${DB_KEY}", A: b=c }\n    tools: { deny: [drop] }\n`,
  ],
])("writes %s", async (_, words, text) => {
  const ran = await run(add(...words));
  expect(ran.err).not.toContain("error");
  expect(ran.file()).toBe(HEAD + text);
  expect(ran.exit).toBe(0);
  expect(ran.out).toContain(`added ${words[0]} to fenzi.yaml (a new file)\n`);
  expect(ran.err).toContain("next start");
});

test("a flag of fenzi behind `--` is pointed out", async () => {
  const ran = await run(add("x", "--", "npx", "srv", "--tool", "a"));
  expect(ran.exit).toBe(0);
  expect(ran.err).toContain("--tool behind `--` goes to the command");
});

const TWO = `# ours
version: 1
mcp:
  wiki: # the wiki
    url: ${URL}
    token: true
    headers: { X-A: "1" }
    tools: { allow: [read], deny: [drop] } # careful
  db:
    command: [uvx, x]
    env: { A: "1" }
`;

test("an existing server is changed only with --update", async () => {
  const ran = await run(add("wiki", URL, "--all-tools"), {
    project: { "fenzi.yaml": TWO },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("fenzi.yaml:4:3: error: `wiki` is already in");
  expect(ran.err).toContain("`--update` changes it");
  expect(ran.file()).toBe(TWO);
});

test.each<[string, readonly string[], string, string]>([
  ["a list", ["wiki", "--tool", "list"], "allow: [read]", "allow: [list]"],
  ["all tools", ["wiki", "--all-tools"], "allow: [read]", "allow: all"],
  [
    "what is refused",
    ["wiki", "--deny", "drop", "--deny", "rm"],
    "deny: [drop]",
    "deny: [drop, rm]",
  ],
  ["the URL", ["wiki", "https://b.example/mcp"], URL, "https://b.example/mcp"],
  [
    "a header",
    ["wiki", "--header", "X-B: 2"],
    '{ X-A: "1" }',
    '{ X-A: "1", X-B: "2" }',
  ],
  ["a variable", ["db", "--env", "B=2"], '{ A: "1" }', '{ A: "1", B: "2" }'],
  ["a command", ["db", "--", "uvx", "z"], "[uvx, x]", "[uvx, z]"],
])("--update changes %s and nothing else", async (_, words, from, to) => {
  const [name = "", ...rest] = words;
  const ran = await run(add(name, "--update", ...rest), {
    project: { "fenzi.yaml": TWO },
    env: {},
  });
  expect(ran.err).not.toContain("error");
  expect(ran.exit).toBe(0);
  expect(ran.file()).toBe(TWO.replace(from, to));
  expect(ran.out).toContain(`changed ${words[0]} in fenzi.yaml\n`);
});

test("--update from a URL to a command takes along what goes with the URL", async () => {
  const ran = await run(add("wiki", "--update", "--", "npx", "w"), {
    project: { "fenzi.yaml": TWO },
  });
  expect(ran.exit).toBe(0);
  expect(ran.file()).toContain("command: [npx, w]");
  expect(ran.file()).not.toContain("X-A");
  expect(ran.file()).not.toContain("token");
  expect(ran.file()).toContain("allow: [read]");
});

const MACHINE = `version: 1\nmcp:\n  corp:\n    url: https://corp.example/mcp\n    tools: all\n`;

test("a URL under the name of an outer server says that it can only be narrowed", async () => {
  const ran = await run(
    add("corp", "https://other.example/mcp", "--all-tools"),
    {
      machine: MACHINE,
    },
  );
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("`corp` is defined by the machine file");
  expect(ran.err).toContain("mcp.yaml:3:3: note:");
  expect(ran.err).toContain("fenzi mcp add corp --deny TOOL");
  expect(ran.file()).toBe(null);
});

test("an outer server is narrowed by its name alone", async () => {
  const ran = await run(add("corp", "--deny", "merge"), { machine: MACHINE });
  expect(ran.exit).toBe(0);
  expect(ran.file()).toBe(`${HEAD}  corp:\n    tools: { deny: [merge] }\n`);
  const again = await run(add("corp", "--token"), { root: ran.root });
  expect(again.exit).toBe(1);
});

test("what an outer server is cannot be said by flags either", async () => {
  const ran = await run(add("corp", "--token"), { machine: MACHINE });
  expect(ran.exit).toBe(2);
  expect(ran.err).toContain("here it can only be narrowed");
});

test("what the whole project would refuse is not written", async () => {
  const taken = await run(
    add("other", "https://corp.example/x", "--all-tools"),
    {
      machine: MACHINE,
    },
  );
  expect(taken.exit).toBe(1);
  expect(taken.err).toContain("[merge/host-taken]");
  expect(taken.err).toContain("nothing was written");
  expect(taken.file()).toBe(null);
  const close = await run(add("Wiki", "https://b.example", "--all-tools"), {
    project: { "fenzi.yaml": TWO },
  });
  expect(close.err).toContain("[merge/name-taken]");
  expect(close.file()).toBe(TWO);
});

test("a file that does not parse is an error, and is not written", async () => {
  const text = "version: 1\nmcp: {a: [}\n";
  const ran = await run(add("wiki", URL, "--all-tools"), {
    project: { "fenzi.yaml": text },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[source/not-yaml]");
  expect(ran.file()).toBe(text);
});

test("--machine writes the machine file for its owner only", async () => {
  const host = testHost();
  const config = join(host.root, "config");
  const ran = await run(add("wiki", URL, "--all-tools", "--machine"), {
    root: host.root,
    env: { FENZI_CONFIG_DIR: config },
  });
  expect(ran.exit).toBe(0);
  expect(ran.mode("config")).toBe(0o700);
  expect(ran.mode("config/mcp.yaml")).toBe(0o600);
  expect(ran.file()).toBe(null);
});

test("--machine writes nothing where others may write", async () => {
  const host = testHost();
  mkdirSync(join(host.root, "config"));
  chmodSync(join(host.root, "config"), 0o777);
  const ran = await run(add("wiki", URL, "--all-tools", "--machine"), {
    root: host.root,
    env: { FENZI_CONFIG_DIR: join(host.root, "config") },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[read/others-may-write]");
});

test("the nearest file of the repository is written; --here makes one", async () => {
  const project = { "fenzi.yaml": TWO };
  const near = await run(add("new", "--", "npx"), { project, cwd: "a/b" });
  expect(near.exit).toBe(0);
  expect(near.out).toContain("project/fenzi.yaml");
  expect(near.file("a/b/fenzi.yaml")).toBe(null);
  expect(near.file()).toContain("new:");
  const here = await run(add("own", "--here", "--", "npx"), {
    root: near.root,
    cwd: "a/b",
  });
  expect(here.exit).toBe(0);
  expect(here.file("a/b/fenzi.yaml")).toContain("own:");
});

test("--dry-run shows the difference and writes nothing at all", async () => {
  const ran = await run(add("wiki", URL, "--all-tools", "--dry-run"));
  expect(ran.exit).toBe(0);
  expect(ran.out).toContain("--- /dev/null\n+++ fenzi.yaml\n");
  expect(ran.out).toContain("+    tools: all\n");
  expect(ran.err).toContain("nothing was written");
  expect(ran.file()).toBe(null);
  expect(ran.mode("home")).toBeGreaterThan(0);
  expect(() => ran.mode("home/.local")).toThrow("ENOENT");
});

test("a link inside the folder stays a link", async () => {
  const host = testHost();
  const project = join(host.root, "project");
  writeFileSync(join(project, "real.yaml"), TWO);
  symlinkSync("real.yaml", join(project, "fenzi.yaml"));
  const ran = await run(add("new", "--", "npx"), { root: host.root });
  expect(ran.exit).toBe(0);
  expect(ran.file("real.yaml")).toContain("new:");
  expect(lstatSync(join(project, "fenzi.yaml")).isSymbolicLink()).toBe(true);
});

test("warnings that were there before are not repeated", async () => {
  const text = `version: 1\nmcp:\n  a:\n    url: https://a.example/\n`;
  const ran = await run(
    add("b", "https://b.example/", "--tool", "x", "--ask", "y"),
    {
      project: { "fenzi.yaml": text },
    },
  );
  expect(ran.err).not.toContain("server/no-tools");
  expect(ran.err).toContain("tools/ask-not-allowed");
});
