// A cloned folder with programs and settings that wait for somebody to start a server in it: none of them runs through a
// server of the machine's file.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardWorlds, waitFor } from "../support/guard-world.ts";

const worlds = guardWorlds();
beforeAll(() => worlds.build(), 120_000);
afterAll(() => worlds.end());

const SERVER = join(worlds.root, "machine-server.cjs");
const PROGRAMS = ["node", "npx", "npm", "uv", "uvx", "planted-server"];

/** The machine's server: tells what it was started with. */
beforeAll(() =>
  writeFileSync(
    SERVER,
    `const told = () => JSON.stringify({ cwd: process.cwd(), program: process.execPath, env: process.env });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === "initialize"
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "m", version: "1" } }
    : { content: [{ type: "text", text: told() }] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`,
  ),
);

/** A world whose project is the clone. `ran` is what has run of it. */
function plant() {
  const folder = worlds.folder();
  const project = join(folder, "project");
  const mark = join(folder, "notes/ran");
  const put = (path: string, content: string, mode = 0o644): void => {
    const file = join(project, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content, { mode });
  };
  for (const name of PROGRAMS)
    for (const at of [name, `bin/${name}`, `node_modules/.bin/${name}`])
      put(at, `#!/bin/sh\necho ${at} >> '${mark}'\n`, 0o755);
  const marks = `require("node:fs").appendFileSync(${JSON.stringify(mark)}, __filename + "\\n");\n`;
  put("required.cjs", marks);
  put("node_modules/planted-server/index.js", marks);
  put(
    "node_modules/planted-server/package.json",
    '{"name":"planted-server","version":"1.0.0","bin":"index.js"}',
  );
  put("package.json", '{"name":"clone","dependencies":{"planted-server":"1"}}');
  put(
    ".npmrc",
    `registry=http://127.0.0.1:9/planted/\nnode-options=--require=${join(project, "required.cjs")}\nscript-shell=${join(project, "node")}\n`,
  );
  put("uv.toml", 'index-url = "http://127.0.0.1:9/planted/"\n');
  put("pyproject.toml", '[tool.uv]\nindex-url = "http://127.0.0.1:9/p/"\n');
  mkdirSync(join(project, ".git"));
  return {
    folder,
    project: realpathSync(project),
    ran: () => (existsSync(mark) ? readFileSync(mark, "utf8") : ""),
    /** As careless people have it. */
    path: [
      ".",
      "",
      "./node_modules/.bin",
      project,
      join(project, "bin"),
      join(project, "node_modules/.bin"),
      process.env["PATH"],
    ].join(delimiter),
  };
}

const open = (
  world: ReturnType<typeof plant>,
  command: readonly string[],
  more: { readonly trusted?: boolean; readonly project?: object } = {},
) =>
  worlds.open({
    folder: world.folder,
    name: "tool",
    machine: { mcp: { tool: { command, tools: "all" } } },
    env: { PATH: world.path },
    ...more,
  });

test("the plants work: without the guard, all of it runs", () => {
  const { project, path, ran } = plant();
  const run = (words: string) =>
    spawnSync("/bin/sh", ["-c", words], {
      cwd: project,
      env: { ...process.env, PATH: path },
      encoding: "utf8",
    });
  for (const name of PROGRAMS) run(name);
  for (const name of PROGRAMS) expect(ran()).toContain(`${name}\n`);
  const npm = spawnSync("npm", ["config", "get", "registry"], {
    cwd: project,
    encoding: "utf8",
  });
  expect(npm.stdout).toContain("/planted/");
});

test("a program is found where it is installed, and runs away from the folder", async () => {
  const world = plant();
  const server = open(world, ["node", SERVER]);
  await server.initialize();
  const { result } = await server.call("tell");
  const told = JSON.parse(result.content[0].text) as {
    readonly cwd: string;
    readonly program: string;
    readonly env: Readonly<Record<string, string>>;
  };
  expect(realpathSync(told.program)).not.toContain(world.project);
  expect(told.cwd).not.toContain(world.project);
  expect(told.env["PATH"]?.split(delimiter)).not.toEqual(
    expect.arrayContaining(["."]),
  );
  expect(told.env["PATH"]).not.toContain(world.project);
  await server.close();
  expect(world.ran()).toBe("");
});

test("npx takes no package and no setting of the folder", async () => {
  const world = plant();
  const server = open(world, ["npx", "--no", "--offline", "planted-server"]);
  expect((await server.exited).code).toBe(3);
  expect(world.ran()).toBe("");
});

test("npm does not read the folder's `.npmrc`", async () => {
  const world = plant();
  const server = open(world, ["npm", "config", "get", "registry"]);
  await server.exited;
  await waitFor(() =>
    expect(server.log()).toContainEqual(
      expect.objectContaining({
        rule: "noise",
        reason: expect.stringContaining("http"),
      }),
    ),
  );
  expect(JSON.stringify(server.log())).not.toContain("/planted/");
  expect(world.ran()).toBe("");
});

test.each(["./npx", "bin/npx", "node_modules/.bin/npx"])(
  "`%s` in the machine's file is not one of the folder",
  async (program) => {
    const world = plant();
    const server = open(world, [program, "planted-server"], { trusted: false });
    expect((await server.exited).code).toBe(1);
    expect(world.ran()).toBe("");
  },
);

test("what is only in the folder is not found", async () => {
  const world = plant();
  const server = open(world, ["planted-server"]);
  expect((await server.exited).code).toBe(1);
  expect(server.errors()).toContain("planted-server");
  expect(world.ran()).toBe("");
});

test("a project that narrows the server does not move it", async () => {
  const world = plant();
  const server = open(world, ["node", SERVER], {
    project: { mcp: { tool: { tools: { deny: ["other"] } } } },
  });
  await server.initialize();
  const { result } = await server.call("tell");
  expect(result.content[0].text).not.toContain(world.project);
  expect((await server.call("other")).result.isError).toBe(true);
  await server.close();
  expect(world.ran()).toBe("");
});

test("nothing at all is started in a folder that nobody trusts", async () => {
  const world = plant();
  const started = join(world.folder, "notes/started");
  const server = open(
    world,
    [
      "node",
      "-e",
      `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`,
    ],
    { trusted: false },
  );
  expect((await server.exited).code).toBe(1);
  expect(server.errors()).toContain("trust");
  expect(existsSync(started)).toBe(false);
  expect(server.lines).toEqual([]);
  expect(world.ran()).toBe("");
});
