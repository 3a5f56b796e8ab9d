// How the built program starts, whatever lies beside it: not for the golden cases, which run the sources in-process.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../src/version.ts";
import { buildProgram } from "./support/build-program.ts";

// A folder with a blank in its path, as people have.
const root = mkdtempSync(join(tmpdir(), "fenzi built "));
const kept = join(root, "program.v8");
const file = (name: string) => join(root, `${name}.cjs`);

beforeAll(() => void buildProgram(root));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const version = () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "cli.cjs"), "--version"],
    { encoding: "utf8" },
  );
  return stdout + stderr;
};

test("takes what was compiled when it was built", () => {
  for (const name of ["program", "guard"]) {
    const program = new Script(readFileSync(file(name), "latin1"), {
      filename: file(name),
      cachedData: readFileSync(join(root, `${name}.v8`)),
    });
    expect(program.cachedDataRejected, name).toBe(false);
  }
  expect(version()).toBe(`${VERSION}\n`);
});

test.each([
  ["program", 900_000],
  ["guard", 420_000],
])("%s holds nothing that it does not need", (name, most) => {
  const text = readFileSync(file(name), "latin1");
  expect(text).not.toMatch(/[^\x00-\x7f]/);
  // Another language's words would mean that all fifty of zod's came along.
  expect(text).not.toContain("Entr\\xE9e invalide");
  expect(text).not.toContain("iconv");
  expect(text.length).toBeLessThan(most);
});

/** `fenzi guard` with these arguments in a folder with these files. */
const guardSays = (
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
) => {
  const folder = mkdtempSync(join(root, "guarded-"));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "cli.cjs"), "guard", ...args],
    {
      encoding: "utf8",
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        HOME: join(root, "home"),
        FENZI_STATE_DIR: join(root, "state"),
        FENZI_CONFIG_DIR: join(root, "config"),
      },
    },
  );
  return { status, stdout, stderr };
};

test("a mistake on the guard's command line is said as for other commands", () => {
  expect(guardSays(["--help"]).stdout).toContain("fenzi guard");
  expect(guardSays([]).status).toBe(2);
  expect(guardSays(["a", "b"]).status).toBe(2);
});

// Behind `--` the name comes by way of the whole program.
test.each([
  ["an absent server", "version: 1\nmcp: {}\n"],
  ["no version", "mcp: {}\n"],
  ["another version", "version: 2\n"],
  ["an unknown key", "version: 1\nmcp: { a: { comand: [x] } }\n"],
  ["a key of the machine", "version: 1\nprojectServers: true\n"],
  ["no list", "version: 1\nmcp: { a: { command: x } }\n"],
  ["no words", "version: 1\nmcp: { a: { command: [1] } }\n"],
  ["no switch", "version: 1\nairGap: maybe\n"],
  ["no mapping", "version: 1\nmcp: [a]\n"],
  ["no names", "version: 1\nmcp: { a: { command: [x], env: { A: 1 } } }\n"],
  ["neither form", "version: 1\nmcp: { a: { command: [x], tools: [b] } }\n"],
  [
    "a form with a mistake",
    "version: 1\nmcp: { a: { command: [x], tools: { alow: [b], deny: 3 } } }\n",
  ],
  ["a token", "version: 1\nmcp: { a: { url: https://a.test, token: b } }\n"],
  [
    "an isolation of no kind",
    "version: 1\nmcp: { a: { command: [x], isolation: { image: b, network: c } } }\n",
  ],
  [
    "no port",
    "version: 1\nmcp: { a: { command: [x], hosts: { ports: [b] } } }\n",
  ],
])("the guard's program judges a file as the whole one does: %s", (_, text) => {
  const files = {
    "fenzi.yaml": text,
    "fenzi.lock": "servers:\n  a:\n    tools: { b: sha256:0 }\nversion: 1\n",
  };
  const here = (said: ReturnType<typeof guardSays>) =>
    said.stderr.replace(/guarded-\w+/g, "");
  const small = guardSays(["a"], files);
  expect(small.status).toBe(1);
  expect(small.stderr).not.toBe("");
  expect(here(small)).toBe(here(guardSays(["--", "a"], files)));
});

test("a server's answer that fails a check costs no search for its words", () => {
  expect(readFileSync(join(root, "undici.cjs"), "latin1")).not.toMatch(
    /require\("(?:node:)?assert/,
  );
});

test("starts without it, with half of it, and with something else", () => {
  truncateSync(kept, 100_000);
  expect(version()).toBe(`${VERSION}\n`);
  writeFileSync(kept, "not compiled code");
  expect(version()).toBe(`${VERSION}\n`);
  rmSync(kept);
  expect(version()).toBe(`${VERSION}\n`);
});

/** The program in a shell: `$0` and `$1` start it. */
const inShell = (script: string, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", script, process.execPath, join(root, "cli.cjs")],
    { encoding: "utf8", cwd: root, env: { ...process.env, ...env } },
  );
  return { status, stdout, stderr };
};

test.skipIf(!existsSync("/dev/full"))("a full disk is said, and exit 3", () => {
  for (const line of ["--help", "init --help", "explain merge/identity"])
    expect(inShell(`"$0" "$1" ${line} >/dev/full`)).toEqual({
      status: 3,
      stdout: "",
      stderr: "error: standard output cannot be written: the disk is full\n",
    });
  expect(inShell('"$0" "$1" nothing 2>/dev/full').status).toBe(3);
});

test("in a folder that is gone there is help, and one line for the rest", () => {
  const gone = 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1"';
  expect(inShell(`${gone} --help`).status).toBe(0);
  expect(inShell(`${gone} check`)).toEqual({
    status: 3,
    stdout: "",
    stderr: "error: the current folder is gone\n",
  });
});

test.skipIf(process.platform !== "linux")(
  "a folder whose name is not UTF-8 is not taken for another one",
  () => {
    // The second folder has the name that Node gives to the first.
    const ran = inShell(
      `bad="$(printf 'r\\377')"; mkdir "$bad" "$(printf 'r\\357\\277\\275')"; cd "$bad" && "$0" "$1" init`,
    );
    expect([ran.status, ran.stdout]).toEqual([3, ""]);
    expect(ran.stderr).toContain("is not valid UTF-8");
    expect(inShell("ls -d r*/fenzi.yaml").stdout).toBe("");
  },
);

test("a `HOME` that is no absolute path makes no file of a project the machine's", () => {
  mkdirSync(join(root, ".config/fenzi"), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, ".config/fenzi/mcp.yaml"), "not in order", {
    mode: 0o600,
  });
  for (const HOME of ["", ".", "./"]) {
    const ran = inShell('"$0" "$1" check', { HOME, XDG_CONFIG_HOME: "" });
    expect(ran.stdout + ran.stderr).not.toContain("mcp.yaml:1");
  }
});

test("a reader that goes away is no crash", () => {
  const { stderr } = spawnSync(
    "sh",
    ["-c", `"$0" "$1" --help | true`, process.execPath, join(root, "cli.cjs")],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
});
