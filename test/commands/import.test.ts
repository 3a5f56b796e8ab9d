// What `mcp import` reads, writes and says, by running it; what becomes of each entry is tested beside the importer.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { documentProblems } from "../support/check-document.ts";
import { testHost } from "../support/test-host.ts";
import { run, type Ran } from "./run.ts";

const IMPORT = ["mcp", "import"];
const servers = (entries: object) => JSON.stringify({ mcpServers: entries });
const ONE = servers({ a: { command: "npx", args: ["a"] } });
const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

function document(
  ran: Ran,
): Record<string, readonly Record<string, unknown>[]> {
  expect(documentProblems(IMPORT, ran.out)).toEqual([]);
  expect(ran.err).toBe("");
  return JSON.parse(ran.out);
}

function writeHome(root: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, "home", path)), { recursive: true });
    writeFileSync(join(root, "home", path), text);
  }
}

test("without a file reads the known ones of the project", async () => {
  const names = [
    ".mcp.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    ".gemini/settings.json",
    ".roo/mcp.json",
    ".kiro/settings/mcp.json",
    ".amazonq/mcp.json",
    ".junie/mcp/mcp.json",
    ".qwen/settings.json",
  ];
  const project = Object.fromEntries(
    names.map((name, i) => [
      name,
      servers({ [`s${i}`]: { command: `c${i}` } }),
    ]),
  );
  const ran = await run(IMPORT, { project });
  expect(ran.exit).toBe(0);
  expect(ran.out).toContain("added 9 servers to fenzi.yaml (a new file)\n");
  for (const i of names.keys())
    expect(ran.file()).toContain(`  s${i}:\n    command: [c${i}]\n`);
});

test("known files without servers are passed over in silence", async () => {
  const ran = await run(IMPORT, {
    project: { ".mcp.json": ONE, ".gemini/settings.json": '{"theme":"dark"}' },
  });
  expect(ran.exit).toBe(0);
  expect(ran.err).not.toContain("no servers");
  const named = await run([...IMPORT, ".gemini/settings.json"], {
    root: ran.root,
  });
  expect(named.err).toContain("[import/no-servers]");
});

test("--machine reads the files of the home folder and writes the machine file", async () => {
  const { root } = testHost();
  writeHome(root, {
    ".claude.json": servers({ a: { command: "a" } }),
    ".cursor/mcp.json": servers({ b: { command: "b" } }),
    ".codeium/windsurf/mcp_config.json": servers({ c: { command: "c" } }),
    ".config/Claude/claude_desktop_config.json": servers({
      d: { command: "d" },
    }),
    ".config/Code/User/mcp.json": '{"servers":{"e":{"command":"e"}}}',
  });
  const ran = await run([...IMPORT, "--machine"], { root });
  expect(ran.exit).toBe(0);
  for (const name of "abcde")
    expect(ran.machine()).toContain(`  ${name}:\n    command: [${name}]\n`);
  expect(ran.mode("home/.config/fenzi/mcp.yaml")).toBe(0o600);
  expect(ran.file()).toBe(null);
});

test("adds to what is there, and keeps it", async () => {
  const before = `# mine\nversion: 1\nmcp:\n  a: { command: [own] } # stays\n`;
  const ran = await run(IMPORT, {
    project: {
      "fenzi.yaml": before,
      ".mcp.json": servers({ a: { command: "a" }, b: { command: "b" } }),
    },
  });
  expect(ran.exit).toBe(0);
  expect(ran.file()).toBe(`${before}  b:\n    command: [b]\n`);
  expect(ran.out).toContain("already there: a\n");
});

test("an unparsable source writes nothing at all", async () => {
  const ran = await run(IMPORT, {
    project: { ".mcp.json": ONE, ".cursor/mcp.json": "{" },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain(".cursor/mcp.json:1:");
  expect(ran.err).toContain("nothing was written");
  expect(ran.file()).toBe(null);
});

test.each<[string, object, number]>([
  [
    "a server",
    { a: { command: "a" }, b: { type: "sse", url: "https://b.example/sse" } },
    1,
  ],
  ["a key", { a: { command: "a", autoApprove: ["x"] } }, 0],
])("after dropping %s the rest is written", async (_, entries, exit) => {
  const ran = await run(IMPORT, { project: { ".mcp.json": servers(entries) } });
  expect(ran.exit).toBe(exit);
  expect(ran.file()).toContain("command: [a]");
});

test("what cannot be read is named, and nothing is written", async () => {
  const ran = await run([...IMPORT, ".mcp.json", "absent.json", "folder"], {
    project: { ".mcp.json": ONE, "folder/x": "" },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("absent.json");
  expect(ran.err).toContain("[read/not-a-file]");
  expect(ran.file()).toBe(null);
});

test("nothing to import is an error that says so", async () => {
  const ran = await run(IMPORT);
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[import/nothing-found]");
});

test("a known file of the project is not read through a link that leaves its folder", async () => {
  const host = testHost();
  writeHome(host.root, { "secret.json": ONE });
  symlinkSync(join(host.root, "home/secret.json"), join(host.cwd, ".mcp.json"));
  const ran = await run(IMPORT, { root: host.root });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[read/link-leaves-folder]");
  const named = await run([...IMPORT, ".mcp.json"], { root: host.root });
  expect(named.exit).toBe(0);
});

test("UTF-16 with a byte order mark is read, other bytes are refused", async () => {
  const host = testHost();
  writeFileSync(join(host.cwd, "a.json"), `\ufeff${ONE}`, "utf16le");
  writeFileSync(
    join(host.cwd, "b.json"),
    Buffer.from('{"n": "caf\xe9"}', "latin1"),
  );
  const wide = await run([...IMPORT, "a.json"], { root: host.root });
  expect(wide.exit).toBe(0);
  const latin = await run([...IMPORT, "b.json"], { root: host.root });
  expect(latin.exit).toBe(1);
  expect(latin.err).toContain("b.json:1:11: error:");
});

test("no secret is in any output or file", async () => {
  const entries = {
    a: {
      url: "https://a.example/mcp",
      headers: { Authorization: `Bearer ${SECRET}` },
    },
    b: { command: "b", env: { KEY: SECRET }, args: ["--token", SECRET] },
  };
  for (const flags of [[], ["--json"], ["--dry-run"]]) {
    const ran = await run([...IMPORT, ...flags], {
      project: { ".mcp.json": servers(entries) },
    });
    expect(ran.exit).toBe(0);
    expect(ran.out + ran.err + ran.file()).not.toContain(SECRET.slice(4, 20));
  }
});

test("says what is to be done now", async () => {
  const ran = await run(IMPORT, {
    project: {
      ".mcp.json": servers({
        a: {
          url: "https://a.example/mcp",
          headers: { Authorization: `Bearer ${SECRET}` },
        },
        b: { command: "b", env: { KEY: SECRET } },
      }),
    },
  });
  expect(ran.err).toContain("store its token: fenzi mcp token a\n");
  expect(ran.err).toContain("set where agents are started: KEY\n");
  expect(ran.err).toContain("not trusted yet: `fenzi trust` shows them\n");
  expect(ran.err).toContain("next start");
});

test("with --dry-run the document is the same and nothing is written", async () => {
  const project = { ".mcp.json": ONE };
  const dry = await run([...IMPORT, "--json", "--dry-run"], { project });
  expect(dry.file()).toBe(null);
  const wet = await run([...IMPORT, "--json"], { root: dry.root });
  expect(document(dry)).toEqual(document(wet));
  expect(wet.file()).toContain("  a:\n");
  expect(document(wet)["add"]).toMatchObject([{ name: "a", command: "npx" }]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["an unparsable source", { ".mcp.json": "{" }],
  ["a broken fenzi.yaml", { ".mcp.json": ONE, "fenzi.yaml": "mcp: [" }],
  ["no source", {}],
])("under --json a failure is a document too: %s", async (_, project) => {
  const ran = await run([...IMPORT, "--json"], { project });
  expect(ran.exit).toBe(1);
  const { add, diagnostics } = document(ran);
  expect(add).toEqual([]);
  expect(diagnostics?.[0]?.["severity"]).toBe("error");
});

test("what the machine does not let a project add is not written", async () => {
  const ran = await run(IMPORT, {
    machine: "version: 1\nprojectServers: false\n",
    project: { ".mcp.json": ONE },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[merge/no-project-servers]");
  expect(ran.file()).toBe(null);
});

test("importing again changes nothing", async () => {
  const first = await run(IMPORT, { project: { ".mcp.json": ONE } });
  const text = first.file();
  const again = await run(IMPORT, { root: first.root });
  expect(again.exit).toBe(0);
  expect(again.out).toContain("nothing to add\n");
  expect(again.file()).toBe(text);
  expect(readFileSync(join(first.root, "project/.mcp.json"), "utf8")).toBe(ONE);
});

test("a pattern that no shell has replaced means the files that match it", async () => {
  const project = {
    "fenzi.yaml": "version: 1\nmcp: {}\n",
    "configs/one.json": servers({ one: { command: "x" } }),
    "configs/two.json": servers({ two: { command: "y" } }),
    "configs/[odd].json": servers({ odd: { command: "z" } }),
  };
  const { exit, root, file } = await run([...IMPORT, "configs/{one,t*}.json"], {
    project,
  });
  expect(exit).toBe(0);
  const odd = await run([...IMPORT, "configs/[odd].json"], { root });
  expect(odd.exit).toBe(0);
  for (const name of ["one", "two", "odd"])
    expect(file()).toContain(`${name}:`);
  const none = await run([...IMPORT, "none/*.json"], { root });
  expect([none.exit, none.err]).toEqual([
    1,
    expect.stringContaining("none/*.json"),
  ]);
});
