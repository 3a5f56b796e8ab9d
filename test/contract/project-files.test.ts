// What holds for every emitter's own files in a project: each server is there as `fenzi guard NAME` and as nothing else, in a
// form that is recognised again, and what an agent would load beside it is found where the emitter says.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { template } from "../../emitters/_template/index.ts";
import { emitters } from "../../emitters/index.ts";
import { agentServers, loadedFrom } from "../../src/commands/other-servers.ts";
import { deliver } from "../../src/deliver/deliver.ts";
import type { Emitter, OtherServer } from "../../src/emit/emitter.ts";
import { emitSharedFor } from "../../src/emit/emit-all.ts";
import type { Host } from "../../src/host/host.ts";
import { nodeHost } from "../../src/host/node-host.ts";
import { printToml } from "../../src/format/toml.ts";
import { printJson } from "../../src/format/json.ts";
import { editJson } from "../../src/plan/owned-json.ts";
import { editToml } from "../../src/plan/owned-toml.ts";
import { serversIn } from "../../src/source/agent-file.ts";
import { spanAt } from "../support/delivered-servers.ts";
import { mergeDocuments, readDocuments } from "../support/merge-data.ts";
import type { FileData } from "../support/random-layers.ts";

const SECRETIVE = {
  version: 1,
  mcp: {
    notes: {
      url: "https://notes.example/mcp",
      token: { header: "X-Api-Key" },
      headers: { "X-Team": "core-${TEAM}" },
      tools: { allow: ["read", "find_*"], ask: ["find_all"], deny: ["*_x"] },
      limits: { call: "90s" },
    },
    files: {
      command: ["npx", "server-files", "docs"],
      env: { MODE: "read-only", KEY: "${FILES_KEY}" },
      cwd: "/somewhere",
    },
    off: { command: ["off-program"], enabled: false },
  },
} as unknown as FileData;
const model = mergeDocuments(
  readDocuments([{ layer: "project", data: SECRETIVE }]),
);
if (model === null) throw new Error("not merged");

const servers = (emitter: Emitter) =>
  deliver(
    model,
    emitter.filter,
    { project: model.project, home: () => "/elsewhere", own: () => "/own" },
    { kind: "guard" },
  );
const emitted = (emitter: Emitter, others: readonly OtherServer[] = []) =>
  emitSharedFor(emitter, frozen(servers(emitter)), {
    project: model.project,
    others,
  });

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}

/** The texts of an agent's files where there were none. */
const textsOf = (emitter: Emitter, others: readonly OtherServer[] = []) =>
  emitted(emitter, others).files.map((wanted) => {
    const path = wanted.paths.at(-1) ?? "";
    const input = { agent: "a", path, text: null, records: [] };
    const edit =
      wanted.format === "json"
        ? editJson({ ...input, wanted })
        : editToml({ ...input, wanted });
    return { path, text: edit.text ?? "" };
  });

describe.each([...emitters, template].map((e) => [e.target, e] as const))(
  "%s",
  (target, emitter) => {
    test("is pure: a frozen input, the same again", () => {
      expect(JSON.stringify(emitted(emitter))).toBe(
        JSON.stringify(emitted(emitter)),
      );
    });

    test("names each server's guard, and nothing of what only the guard may know", () => {
      const text = textsOf(emitter)
        .map((f) => f.text)
        .join("");
      for (const name of ["notes", "files"])
        expect(text.replace(/\s/g, "")).toMatch(
          new RegExp(`"guard",?"${name}"`),
        );
      for (const own of [
        "notes.example",
        "X-Team",
        "core-",
        "X-Api-Key",
        "FENZI_MCP_",
        "server-files",
        "read-only",
        "/somewhere",
        "off-program",
        '"off"',
      ])
        expect(text).not.toContain(own);
    });

    test("waits longer than the longest call where the agent lets it say so", () => {
      const numbers = JSON.stringify(emitted(emitter)).match(
        /"(?:timeout|tool_timeout_sec)":(\d+)/g,
      );
      for (const each of numbers ?? []) {
        const value = Number(/\d+/.exec(each)?.[0]);
        expect(each.includes("_sec") ? value * 1000 : value).toBeGreaterThan(
          60_000,
        );
      }
    });

    test("is read back as guards, so that it is never taken for the user's own", () => {
      const kinds = emitter.others.sources.flatMap(({ format, keys }) =>
        textsOf(emitter)
          .filter(({ path }) => path.endsWith(format))
          .flatMap(
            ({ path, text }) =>
              serversIn(
                path,
                text,
                format,
                keys.map((k) => k.map((key) => key ?? "")),
              ).value ?? [],
          ),
      );
      expect(new Set(kinds.map((s) => s.kind))).toEqual(new Set(["guard"]));
      expect([...new Set(kinds.map((s) => s.name))].sort()).toEqual([
        "files",
        "notes",
      ]);
    });

    test("finds a server in every place it reads, and says which others it cannot switch off", () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-test-")));
      const folders = {
        project: join(root, "r", "p"),
        repository: join(root, "r"),
      };
      const host: Host = {
        ...nodeHost(),
        home: join(root, "h"),
        env: {},
        cwd: root,
      };
      let found = 0;
      for (const { place, names, format, keys } of emitter.others.sources) {
        if (place.kind === "system") continue;
        for (const name of names)
          for (const path of keys) {
            const file =
              place.kind === "home"
                ? join(root, "h", place.folder, name)
                : join(folders.project, name);
            const server = `s${found++}`;
            const value = path.reduceRight<object>(
              (inner, key) => ({ [key ?? folders.project]: inner }),
              { [server]: { type: "stdio", command: "x" } },
            );
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(
              file,
              format === "json"
                ? printJson(value as never)
                : printToml(value as never, "x"),
            );
            const all = agentServers(host, emitter, folders);
            expect(
              loadedFrom(emitter, all, server)?.file,
              `${target}: ${name}`,
            ).toBe(file);
          }
      }
      expect(found).toBeGreaterThan(1);
      const others: readonly OtherServer[] = [".mcp.json", "config.toml"].map(
        (file, i) => ({ name: `o${i}`, at: spanAt(1), inOurFile: false, file }),
      );
      const { stillLoaded } = emitted(emitter, others);
      const text = textsOf(emitter, others)
        .map((f) => f.text)
        .join("");
      for (const other of others)
        expect(
          text.includes(other.name) !== stillLoaded.includes(other),
          other.name,
        ).toBe(true);
    });
  },
);
