// What `fenzi apply` may never do to a file that is also the user's, over random ones: lose a byte of theirs, change anything
// by being run again, or leave anything of ours behind.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emitters } from "../../emitters/index.ts";
import { deliver } from "../../src/deliver/deliver.ts";
import type { Emitter, SharedFile } from "../../src/emit/emitter.ts";
import type { Applied } from "../../src/model/applied.ts";
import type { Model } from "../../src/model/model.ts";
import { editJson } from "../../src/plan/owned-json.ts";
import { withoutPieces } from "../../src/plan/json-members.ts";
import type { OwnedEdit } from "../../src/plan/owned-text.ts";
import { editToml } from "../../src/plan/owned-toml.ts";
import { mergeDocuments, readDocuments } from "../support/merge-data.ts";
import { jsonFile, tomlFile } from "../support/random-agent-file.ts";
import type { FileData } from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 400);

const FILES = { command: ["x"], tools: { deny: ["drop_*"] } };
const NOTES = {
  url: "https://notes.example/mcp",
  tools: { allow: ["read", "find"], ask: ["find"] },
};

function modelOf(mcp: Record<string, unknown>): Model {
  const data = { version: 1, mcp } as unknown as FileData;
  const model = mergeDocuments(readDocuments([{ layer: "project", data }]));
  if (model === null) throw new Error("not merged");
  return model;
}

/** Nothing, one server, two, and one of them with other rules. */
const models = [
  modelOf({ files: FILES }),
  modelOf({ files: FILES, notes: NOTES }),
  modelOf({ notes: { ...NOTES, tools: { allow: ["read"] } } }),
];

const places = { project: "/p", home: () => "/p", own: () => "/o" };
const filesOf = (emitter: Emitter, model: Model | null) =>
  emitter.emitShared(
    model === null
      ? []
      : deliver(model, emitter.filter, places, { kind: "guard" }),
    { project: "/p", others: [] },
  ).files;

const edit = (
  wanted: SharedFile,
  text: string | null,
  records: readonly Applied[],
): OwnedEdit =>
  wanted.format === "json"
    ? editJson({ path: "/p/f", text, wanted, records })
    : editToml({ agent: "a", path: "/p/f", text, wanted, records });

const recordsOf = (edited: OwnedEdit) =>
  edited.record === null ? [] : [edited.record];
const errors = (edited: OwnedEdit) =>
  edited.diagnostics.filter((d) => d.severity === "error");

/** Each agent's files, with what each model wants of them. */
const each = emitters.flatMap((emitter) =>
  filesOf(emitter, null).map((nothing, i) => ({
    name: `${emitter.target} ${nothing.paths.at(-1)}`,
    nothing,
    wanted: models.map((m) => filesOf(emitter, m)[i] ?? nothing),
    file: nothing.format === "json" ? jsonFile : tomlFile,
  })),
);
const which = fc.nat({ max: models.length - 1 });

describe.each(each)("$name", ({ nothing, wanted, file }) => {
  const at = (i: number): SharedFile => wanted[i] ?? nothing;

  test("applying and reverting gives the same bytes; applying twice is applying once", () => {
    let applied = 0;
    fc.assert(
      fc.property(file, which, which, (text, i, j) => {
        const first = edit(at(i), text, []);
        if (errors(first).length > 0) {
          expect(first.text).toBe(text);
          expect(errors(first).map((d) => d.code)).not.toContain(
            "write/cannot-edit",
          );
          return;
        }
        applied++;
        const again = edit(at(i), first.text, recordsOf(first));
        expect(again.text).toBe(first.text);
        // Another machine, which has nothing noted.
        expect(edit(at(i), first.text, []).text).toBe(first.text);
        const second = edit(at(j), first.text, recordsOf(first));
        expect(errors(second)).toEqual([]);
        for (const state of [again, second]) {
          const reverted = edit(nothing, state.text, recordsOf(state));
          expect(errors(reverted)).toEqual([]);
          expect(reverted.text).toBe(text);
          expect(reverted.record).toBe(null);
        }
      }),
      { numRuns: RUNS },
    );
    expect(applied).toBeGreaterThan(RUNS / 3);
  });

  test("only adds: without what was added every byte of the user's is as it was", () => {
    fc.assert(
      fc.property(file, which, (text, i) => {
        const { record, text: after } = edit(at(i), text, []);
        if (record === null || after === null) return;
        const bom = after.startsWith("\uFEFF") ? "\uFEFF" : "";
        const rest = withoutPieces(after.slice(bom.length), record.pieces);
        expect(bom + rest).toBe(text ?? "");
      }),
      { numRuns: RUNS },
    );
  });

  test("what the user writes meanwhile stays, and ours goes", () => {
    let seen = 0;
    fc.assert(
      fc.property(file, which, fc.boolean(), (text, i, inFront) => {
        const first = edit(at(i), text, []);
        if (first.record === null || first.text === null) return;
        seen++;
        const write = (t: string) =>
          nothing.format === "json"
            ? inFront
              ? t.replace("{", "{/* mine */")
              : `${t}// mine`
            : `# mine\n${t.replace("\uFEFF", "")}`;
        const mine = write(first.text);
        const reverted = edit(nothing, mine, recordsOf(first));
        expect(errors(reverted)).toEqual([]);
        // But for blanks.
        if (text !== null && (nothing.format === "toml" || text.includes("{")))
          expect(bare(reverted.text)).toBe(bare(write(text)));
        expect(reverted.text).toContain("mine");
        expect(reverted.text).not.toContain("guard");
        expect(edit(at(i), mine, recordsOf(first)).text).toBe(mine);
      }),
      { numRuns: RUNS },
    );
    expect(seen).toBeGreaterThan(RUNS / 3);
  });
});

const bare = (text: string | null): string => (text ?? "").replace(/\s/g, "");
