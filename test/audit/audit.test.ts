// The log under what happens to logs: crashes, full disks, several processes, rotation. No command can show these.
import { buildSync } from "esbuild";
import { spawn } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isWanted, logLine } from "../../src/audit/log-line.ts";
import type { LogRow } from "../../src/audit/log-row.ts";
import { openLog } from "../../src/audit/read-log.ts";
import { openSink } from "../../src/audit/sink.ts";
import type { CallRecord } from "../../src/enforce/record.ts";
import type { Host } from "../../src/host/host.ts";
import { nodeHost } from "../../src/host/node-host.ts";

const record = (tool: string, more: Partial<CallRecord> = {}): CallRecord => ({
  server: "demo",
  effect: "allow",
  http: "POST demo.example/mcp",
  method: "tools/call",
  tool,
  arguments: ["path"],
  reason: "`*` allows it (/p/fenzi.yaml:3:5)",
  rule: "tools.allow",
  bytes: 90,
  ...more,
});
const BY = { agent: "codex", milliseconds: 2 };

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "fenzi-log-")), "a", "b");
});
afterEach(() => vi.unstubAllEnvs());

const sinkOf = (host: Host = nodeHost(), more: object = {}) => {
  const { value, diagnostics } = openSink(host, { folder, run: "r1", ...more });
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
};
const toolsIn = (host: Host = nodeHost()) =>
  [...openLog(host, folder).rows()].map((row) => row.tool);
const files = () => readdirSync(folder);
const path = (name = "000001.jsonl") => join(folder, name);

test("a line has the members of a row, in their order", () => {
  const sink = sinkOf({ ...nodeHost(), now: () => 1_764_549_228_123 });
  expect(sink.write(record("read_file"), BY)).toBe(true);
  sink.close();
  expect(readFileSync(path(), "utf8")).toBe(
    '{"formatVersion":1,"time":"2025-12-01T00:33:48.123Z","run":"r1","agent":"codex","server":"demo","effect":"allow","http":"POST demo.example/mcp","method":"tools/call","tool":"read_file","arguments":["path"],"reason":"`*` allows it (/p/fenzi.yaml:3:5)","rule":"tools.allow","bytes":90,"ms":2}\n',
  );
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a full file gives way to the next, and the oldest go", () => {
  const sink = sinkOf(nodeHost(), { maxBytes: 1_000, maxFiles: 3 });
  for (let i = 0; i < 40; i++) sink.write(record(`t${i}`), BY);
  sink.close();
  expect(files()).toHaveLength(3);
  for (const name of files())
    expect(statSync(path(name)).size).toBeLessThan(1_400);
  const kept = toolsIn();
  expect(kept.at(-1)).toBe("t39");
  expect(kept).toEqual(
    Array.from({ length: kept.length }, (_, i) => `t${40 - kept.length + i}`),
  );
});

test("a line that a crash cut short stands alone", () => {
  const first = sinkOf();
  first.write(record("a"), BY);
  first.write(record("b"), BY);
  first.close();
  truncateSync(path(), statSync(path()).size - 20);
  const second = sinkOf();
  second.write(record("c"), BY);
  second.close();
  expect(toolsIn()).toEqual(["a", "c"]);
});

test("a line behind one that another process left open is still found", () => {
  const sink = sinkOf();
  sink.write(record("a"), BY);
  appendFileSync(path(), '{"formatVersion":1,"time":"2025-12-0');
  sink.write(record("b"), BY);
  sink.close();
  expect(toolsIn()).toEqual(["a", "b"]);
});

test("what is no row is passed over", () => {
  sinkOf().write(record("a"), BY);
  appendFileSync(path(), 'x\n{}\n[]\n{"formatVersion":2}\n\n');
  sinkOf().write(record("b"), BY);
  expect(toolsIn()).toEqual(["a", "b"]);
});

/** A host whose disk takes only so many bytes of the next line. */
const fullDisk = (room: { bytes: number }): Host => {
  const real = nodeHost();
  return {
    ...real,
    files: {
      ...real.files,
      openAppend(at, mode) {
        const file = real.files.openAppend(at, mode);
        return {
          ...file,
          append(text) {
            if (text.length <= room.bytes) return file.append(text);
            if (room.bytes > 0) file.append(text.slice(0, room.bytes));
            throw Object.assign(new Error("full"), { code: "ENOSPC" });
          },
        };
      },
    },
  };
};

test("a full disk is said, and the log goes on when there is room again", () => {
  const room = { bytes: Infinity };
  const sink = sinkOf(fullDisk(room));
  expect(sink.write(record("a"), BY)).toBe(true);
  room.bytes = 0;
  expect(sink.write(record("b"), BY)).toBe(false);
  room.bytes = 50;
  expect(sink.write(record("c"), BY)).toBe(false);
  room.bytes = Infinity;
  expect(sink.write(record("d"), BY)).toBe(true);
  expect(toolsIn()).toEqual(["a", "d"]);
  // Also for a reader that knows nothing of torn lines.
  const last = readFileSync(path(), "utf8").trimEnd().split("\n").at(-1);
  expect(JSON.parse(last ?? "")).toMatchObject({ tool: "d" });
});

test("lines of one turn are written at once, and all or none of them lets its call go on", async () => {
  const room = { bytes: Infinity };
  const texts: string[] = [];
  const full = fullDisk(room);
  const sink = sinkOf({
    ...full,
    files: {
      ...full.files,
      openAppend(at, mode) {
        const file = full.files.openAppend(at, mode);
        return {
          ...file,
          append(text) {
            texts.push(text);
            file.append(text);
          },
        };
      },
    },
  });
  const told: string[] = [];
  const add = (tool: string) =>
    sink.write(record(tool), BY, (written) =>
      told.push(`${tool} ${written} ${toolsIn().includes(tool)}`),
    );
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  expect([add("a"), add("b"), told]).toEqual([null, null, []]);
  await turn();
  expect(told.splice(0)).toEqual(["a true true", "b true true"]);
  expect(texts.splice(0)).toHaveLength(1);

  room.bytes = 400;
  add("c");
  add("d");
  await turn();
  expect(told.splice(0)).toEqual(["c false true", "d false false"]);
  room.bytes = Infinity;

  // A line that cannot wait takes those before it along, and so does the end.
  add("e");
  expect(sink.write(record("f"), BY)).toBe(true);
  expect(told.splice(0)).toEqual(["e true true"]);
  add("g");
  sink.close();
  expect(told).toEqual(["g true true"]);
  expect(toolsIn()).toEqual(["a", "b", "c", "e", "f", "g"]);
});

test("a disk that is really full refuses lines, and loses none that was promised", async () => {
  // A file that may not grow is the same to a program: the last write is cut short, the next ones fail.
  const child = spawn(
    "sh",
    [
      "-c",
      'ulimit -f 16 && exec "$@"',
      "sh",
      process.execPath,
      adder(),
      folder,
    ].concat("full", "2000"),
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  const written = JSON.parse(text) as readonly string[];
  expect(written.length).toBeGreaterThan(10);
  expect(written.length).toBeLessThan(2_000);
  expect(toolsIn()).toEqual(written);
  // There is room again.
  const sink = sinkOf();
  expect(sink.write(record("after"), BY)).toBe(true);
  expect(toolsIn()).toEqual([...written, "after"]);
});

test("a clock that jumps loses no line and turns no file early", () => {
  const moments = [0, 4e12, -1, 1.7e12, 1.7e12 - 500, 8.64e15, 1.7e12];
  let at = 0;
  const sink = sinkOf(
    { ...nodeHost(), now: () => moments[at++ % moments.length] ?? 0 },
    { maxBytes: 2_000, maxFiles: 100 },
  );
  const tools = Array.from({ length: 60 }, (_, i) => `t${i}`);
  for (const tool of tools) expect(sink.write(record(tool), BY)).toBe(true);
  sink.close();
  expect(toolsIn()).toEqual(tools);
  // By size alone: each but the last is full, and none by more than a line.
  const sizes = files().map((name) => statSync(path(name)).size);
  for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThan(1_999);
  for (const size of sizes) expect(size).toBeLessThan(2_400);
});

test("a log whose file was removed is begun anew, within a second", () => {
  let now = 0;
  const sink = sinkOf({ ...nodeHost(), now: () => now });
  sink.write(record("a"), BY);
  unlinkSync(path());
  now += 1_000;
  expect(sink.write(record("b"), BY)).toBe(true);
  expect(toolsIn()).toEqual(["b"]);
  // The clock may also jump back.
  unlinkSync(path());
  now -= 100_000;
  expect(sink.write(record("c"), BY)).toBe(true);
  expect(toolsIn()).toEqual(["c"]);
});

test("a log that cannot be opened is an error with its reason", () => {
  writeFileSync(join(folder, "..", "..", "file"), "");
  const blocked = openSink(nodeHost(), {
    folder: join(folder, "..", "..", "file", "x"),
    run: "r",
  });
  expect(blocked.value).toBeNull();
  expect(blocked.diagnostics[0]?.code).toBe("write/not-writable");
});

test("a link in place of the log is not followed", () => {
  sinkOf().close();
  unlinkSync(path());
  const elsewhere = join(folder, "..", "other");
  writeFileSync(elsewhere, "");
  symlinkSync(elsewhere, path());
  expect(openSink(nodeHost(), { folder, run: "r" }).value).toBeNull();
  expect(readFileSync(elsewhere, "utf8")).toBe("");
});

test("a reader finds what was added since, over the end of a file too", () => {
  const sink = sinkOf(nodeHost(), { maxBytes: 1_000 });
  const log = openLog(nodeHost(), folder);
  const read = () => [...log.rows()].map((row) => row.tool);
  expect(read()).toEqual([]);
  sink.write(record("a"), BY);
  expect(read()).toEqual(["a"]);
  expect(read()).toEqual([]);
  const more = Array.from({ length: 12 }, (_, i) => `m${i}`);
  for (const tool of more) sink.write(record(tool), BY);
  expect(read()).toEqual(more);
  appendFileSync(path(files().at(-1)), '{"formatVersion":1');
  expect(read()).toEqual([]);
});

test("a log that is not there has no rows", () => {
  expect(toolsIn()).toEqual([]);
});

/** A program that adds lines to a log and prints the tools of those that were taken. */
function adder(): string {
  const program = join(mkdtempSync(join(tmpdir(), "fenzi-log-")), "add.mjs");
  buildSync({
    stdin: {
      contents: `
        import { openSink } from "./src/audit/sink.ts";
        import { nodeHost } from "./src/host/node-host.ts";
        const [folder, name, count] = process.argv.slice(2);
        const { value } = openSink(nodeHost(), { folder, run: name, maxBytes: 20_000, maxFiles: 1_000 });
        const taken = [];
        for (let i = 0; i < Number(count); i++)
          if (value.write({ server: "demo", effect: "allow", http: null, method: "tools/call", tool: name + i,
            arguments: [], reason: "é".repeat(i % 50), rule: "r", bytes: 1 }, { agent: null, milliseconds: 0 })) taken.push(name + i);
        process.stdout.write(JSON.stringify(taken));
      `,
      resolveDir: join(import.meta.dirname, "..", ".."),
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
    logLevel: "error",
  });
  return program;
}

test("several processes add to one log without losing or mixing a line", async () => {
  const program = adder();
  const exits = await Promise.all(
    ["a", "b", "c", "d"].map(
      (name) =>
        new Promise<number | null>((resolve) => {
          spawn(process.execPath, [program, folder, name, "400"], {
            stdio: ["ignore", "ignore", "inherit"],
          }).on("exit", resolve);
        }),
    ),
  );
  expect(exits).toEqual([0, 0, 0, 0]);
  const tools = toolsIn();
  expect(tools).toHaveLength(1_600);
  expect(new Set(tools).size).toBe(1_600);
  expect(files().length).toBeGreaterThan(5);
});

const row = (more: Partial<LogRow> = {}): LogRow => ({
  formatVersion: 1,
  time: "2026-11-30T13:33:48.250Z",
  run: "r",
  agent: null,
  ms: 1,
  ...record("read_wiki_structure", { http: "POST mcp.deepwiki.com/mcp" }),
  ...more,
});

test("a row is shown in one line, with the reason of a refusal", () => {
  vi.stubEnv("TZ", "UTC");
  expect(logLine(row())).toBe(
    "13:33:48  allowed  POST mcp.deepwiki.com/mcp tools/call read_wiki_structure",
  );
  expect(
    logLine(
      row({
        effect: "deny",
        tool: "drop",
        rule: "tools.allow",
        reason: "no entry allows it (fenzi.yaml:4:5)",
      }),
    ),
  ).toBe(
    "13:33:48  denied   POST mcp.deepwiki.com/mcp tools/call drop  tools.allow: no entry allows it (fenzi.yaml:4:5)",
  );
  expect(logLine(row({ http: null, method: "ping", tool: null }))).toBe(
    "13:33:48  allowed  demo ping",
  );
});

test("nothing in a row can steer a terminal", () => {
  expect(logLine(row({ tool: "x\u001b[2K\n\u202ey", time: "\u0007" }))).toBe(
    "--:--:--  allowed  POST mcp.deepwiki.com/mcp tools/call x\\u{1b}[2K\\u{a}\\u{202e}y",
  );
});

test("rows are chosen by effect and server", () => {
  const wanted = (denied: boolean, server: string | null, r: LogRow) =>
    isWanted(r, { denied, server });
  expect(wanted(false, null, row())).toBe(true);
  expect(wanted(true, null, row())).toBe(false);
  expect(wanted(true, null, row({ effect: "deny" }))).toBe(true);
  expect(wanted(false, "other", row())).toBe(false);
  expect(wanted(false, "demo", row())).toBe(true);
});
