// A TOML file that is also the user's: a marked block at its end is ours. A table of the user's that ours would meet is a
// conflict, because TOML has each table once.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SharedToml } from "../emit/emitter.ts";
import { printToml } from "../format/toml.ts";
import type { Applied } from "../model/applied.ts";
import type { Json, JsonValue } from "../model/model.ts";
import { readToml, type TomlEntry } from "../source/toml-text.ts";
import {
  BOM,
  hashOf,
  TAKEN_HELP,
  textBefore,
  type OwnedEdit,
} from "./owned-text.ts";

const BEGIN =
  "Begin of what `fenzi apply` wrote. It writes this block anew; `fenzi apply --revert` takes it out.";
const END = "# End of what `fenzi apply` wrote.";

interface TomlInput {
  readonly agent: string;
  readonly path: string;
  readonly text: string | null;
  readonly wanted: SharedToml;
  readonly records: readonly Applied[];
}

export function editToml(input: TomlInput): OwnedEdit {
  const { path, text, records } = input;
  const stop = (diagnostics: readonly Diagnostic[]): OwnedEdit => ({
    text,
    record: null,
    view: { before: "", after: "" },
    diagnostics,
  });
  const bom = text?.startsWith(BOM) === true ? BOM : "";
  const inside = (text ?? "").slice(bom.length);
  const read = readToml(path, inside);
  if (read.value === null) return stop(read.diagnostics);
  const found = findBlock(inside);
  if (found === "broken")
    return stop([
      report("apply/conflict", { key: path, why: BROKEN }, { help: REPAIR }),
    ]);
  const known = text === null ? null : textBefore(text, records);
  const before = known === null ? withoutBlock(inside, found, records) : known;
  const isOurFile =
    text === null || (records.some((r) => r.before === null) && known === null);
  const bare =
    known === null
      ? isOurFile && (before.text ?? "").trim() === ""
        ? null
        : (before.text ?? "")
      : (known.text?.slice(bom.length) ?? null);
  const rest = readToml(path, bare ?? "");
  if (rest.value === null) return stop(rest.diagnostics);
  const yielded = input.wanted.yielding.filter((name) =>
    rest.value?.entries.some((e) => e.path[0] === name),
  );
  const tables = Object.fromEntries(
    Object.entries(input.wanted.tables).filter(
      ([name, table]) => !yielded.includes(name) && isFilled(table),
    ),
  );
  const eol = /\r\n|\n/.exec(found?.block ?? inside)?.[0] ?? "\n";
  const block = Object.keys(tables).length === 0 ? "" : printBlock(tables, eol);
  const warnings = yielded
    .filter((name) => isFilled(input.wanted.tables[name] ?? null))
    .map((name) =>
      report(
        "apply/rules-left-out",
        { key: name, agent: input.agent },
        { at: placeIn(rest.value?.entries ?? [], name) },
      ),
    );
  const view = { before: found?.block ?? "", after: block };
  if (found !== null && found.block === block)
    return {
      text,
      record: known?.record ?? records[0] ?? null,
      view,
      diagnostics: warnings,
    };
  if (
    found !== null &&
    known === null &&
    records.length > 0 &&
    !records.some((r) =>
      r.pieces.some((p) =>
        plainLines(p.text).includes(plainLines(found.block)),
      ),
    )
  )
    return stop([
      report(
        "apply/conflict",
        { key: "the block of fenzi", why: CHANGED },
        {
          at:
            read.value.entries.find((e) => e.at.start.offset > found.start)
              ?.at ?? null,
          help: REPAIR,
        },
      ),
    ]);
  const base = bare === null ? null : bom + bare;
  if (block === "")
    return { text: base, record: null, view, diagnostics: warnings };
  const conflicts = meetings(rest.value.entries, tables);
  if (conflicts.length > 0) return stop(conflicts);
  const lead =
    bare === null || bare === ""
      ? ""
      : bare.endsWith("\n")
        ? eol
        : `${eol}${eol}`;
  const after = `${base ?? ""}${lead}${block}`;
  if (readToml(path, after).value === null)
    return stop([
      report("write/cannot-edit", {
        file: path,
        reason: "what would be added does not go together with it",
      }),
    ]);
  return {
    text: after,
    record: {
      before: base === null ? null : hashOf(base),
      after: hashOf(after),
      pieces: [{ at: (bare ?? "").length, text: lead + block }],
      members: [],
      items: [],
      made: [],
      folder: null,
    },
    view,
    diagnostics: warnings,
  };
}

const BROKEN = "has the mark of a block of fenzi without its other half";
const CHANGED = "was written by fenzi and has been changed since";
const REPAIR =
  "take the block out, from its first line to its last, and apply again";

/** Somebody may have changed the line ends of the whole file. */
const plainLines = (text: string): string => text.replaceAll("\r\n", "\n");

const isFilled = (table: JsonValue): boolean =>
  typeof table === "object" && table !== null && Object.keys(table).length > 0;

const printBlock = (tables: Json, eol: string): string =>
  `${printToml(tables, BEGIN)}${END}\n`.replaceAll("\n", eol);

interface Block {
  readonly start: number;
  readonly end: number;
  readonly block: string;
}

/** Our block, null without one, "broken" when the marks do not go together. */
function findBlock(text: string): Block | null | "broken" {
  const starts = [...text.matchAll(lineOf(`# ${BEGIN}`))];
  const ends = [...text.matchAll(lineOf(END))];
  const [start] = starts;
  const [end] = ends;
  if (start === undefined && end === undefined) return null;
  if (
    start === undefined ||
    end === undefined ||
    starts.length > 1 ||
    ends.length > 1 ||
    end.index < start.index
  )
    return "broken";
  const stop = end.index + end[0].length;
  return {
    start: start.index,
    end: stop,
    block: text.slice(start.index, stop),
  };
}

const lineOf = (line: string): RegExp =>
  new RegExp(
    `^${line.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&")}(?:\\r?\\n|$)`,
    "gm",
  );

/** Where somebody else has written into the file as well. */
function withoutBlock(
  text: string,
  found: Block | null,
  records: readonly Applied[],
): { readonly text: string } {
  if (found === null) return { text };
  const above = text.slice(0, found.start);
  const leads = records.flatMap((r) =>
    r.pieces.map((p) => p.text.slice(0, p.text.indexOf("#"))),
  );
  const lead =
    leads.find((l) => l !== "" && above.endsWith(l)) ??
    /(?<=\n)\r?\n$/.exec(above)?.[0] ??
    "";
  return {
    text: above.slice(0, above.length - lead.length) + text.slice(found.end),
  };
}

const placeIn = (entries: readonly TomlEntry[], name: string) =>
  entries.find((e) => e.path[0] === name)?.at ?? null;

/** What of the user's our tables would meet. */
function meetings(
  entries: readonly TomlEntry[],
  tables: Json,
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const [top = "", name] = entry.path;
    const table = tables[top];
    if (!Object.hasOwn(tables, top) || !isFilled(table ?? null)) return [];
    const isClosed =
      (entry.path.length === 1 && entry.kind !== "table") ||
      (entry.kind === "key" && entry.atRoot);
    const isTaken = name !== undefined && Object.hasOwn(table as Json, name);
    const key = isTaken ? `${top}.${name}` : top;
    if ((!isClosed && !isTaken) || seen.has(key)) return [];
    seen.add(key);
    return [
      report(
        "apply/conflict",
        {
          key,
          why: isTaken
            ? "is here already and is not of fenzi"
            : "stands in a form to which no table can be added",
        },
        {
          at: entry.at,
          help: isTaken
            ? TAKEN_HELP
            : `write it as tables, \`[${top}.NAME]\`, and apply again`,
        },
      ),
    ];
  });
}
