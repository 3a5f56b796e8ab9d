// Other tools' files in, what has to be written into fenzi.yaml out, with a row for every server that was found. Text
// in, values out; writing is for others.
import { report } from "../diagnostics/catalog.ts";
import {
  sortDiagnostics,
  type Diagnostic,
  type Span,
} from "../diagnostics/diagnostic.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type { ImportDocument } from "../../schemas/import-document.ts";
import { blankSecrets } from "../match/blank-secrets.ts";
import { findEntries, type FoundEntry } from "./find-entries.ts";
import { readJson, type JsonText } from "../source/json-text.ts";
import { readEntry } from "./read-entry.ts";
import { settle, type ExistingServer } from "./settle.ts";
import { reportAdded, sameVariables } from "./report-added.ts";
import { toServer, type Candidate } from "./to-server.ts";

/** As many as a file of ours may hold. */
const MOST_SERVERS = 1000;
const STOPS = new Set(["import/not-json", "import/too-many"]);

export interface ImportSource {
  /** As it is shown to people. */
  readonly file: string;
  readonly text: string;
}

export interface Imported extends Pick<
  ImportDocument,
  "sources" | "add" | "keep" | "dropped" | "tokens"
> {
  /** What has to be written, in order. Empty when a source could not be read. */
  readonly entries: readonly {
    readonly name: string;
    readonly entry: ServerEntry;
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The servers of other tools' files as entries of ours. Pure: nothing is read or written, and no secret is in the result.
 * `existing`: the servers of the file that will be written and of the layers around it, the defining one first.
 */
export function importConfigs(
  sources: readonly ImportSource[],
  existing: readonly ExistingServer[],
): Imported {
  const out: Collected = {
    sources: [],
    add: [],
    keep: [],
    dropped: [],
    tokens: [],
    entries: [],
    diagnostics: [],
  };
  const candidates: Candidate[] = [];
  let unreadable = false;
  sources.forEach(({ file, text }, source) => {
    const read = readJson(file, text);
    for (const each of read.diagnostics) out.diagnostics.push(each);
    const json = read.value;
    const found = json === null ? null : findEntries(json);
    const tooMany = (found?.entries.length ?? 0) > MOST_SERVERS;
    if (tooMany)
      out.diagnostics.push(
        report("import/too-many", { file, most: MOST_SERVERS }),
      );
    if (json === null || found === null || tooMany) {
      unreadable = true;
      out.sources.push({ file, format: "unreadable" });
      return;
    }
    out.sources.push({ file, format: found.format });
    for (const each of found.diagnostics) out.diagnostics.push(each);
    if (json.lenient && found.entries.length > 0)
      out.diagnostics.push(
        report("import/not-strict-json", {}, { at: startOf(json) }),
      );
    for (const entry of unique(json, found.entries, out)) {
      const parts = readEntry(json, entry);
      const server =
        "reason" in parts
          ? parts
          : toServer(json, entry, parts, found.defaults);
      if ("reason" in server) {
        out.dropped.push({ name: entry.name, reason: server.reason });
        for (const each of server.diagnostics) out.diagnostics.push(each);
      } else candidates.push({ ...server, group: `${source} ${server.group}` });
    }
  });
  if (unreadable)
    return {
      ...out,
      add: [],
      keep: [],
      dropped: [],
      tokens: [],
      entries: [],
      diagnostics: sortDiagnostics(
        out.diagnostics.filter((d) => STOPS.has(d.code)),
      ),
    };
  const added: Candidate[] = [];
  for (const answer of settle(candidates, existing)) {
    if (answer.kind === "add") {
      const rows = reportAdded(answer.candidate);
      out.add.push(rows.add);
      for (const each of rows.dropped) out.dropped.push(each);
      for (const each of rows.tokens) out.tokens.push(each);
      for (const each of rows.diagnostics) out.diagnostics.push(each);
      const { name, entry } = answer.candidate;
      out.entries.push({ name, entry });
      added.push(answer.candidate);
      continue;
    }
    out.diagnostics.push(answer.diagnostic);
    const { name, from } = answer.candidate;
    if (answer.kind === "drop")
      out.dropped.push({ name: from, reason: answer.reason });
    else
      out.keep.push({
        name,
        reason: answer.reason,
        file: answer.at.file,
        line: answer.at.start.line,
      });
  }
  for (const each of sameVariables(added)) out.diagnostics.push(each);
  return {
    ...out,
    // Named as it stands in its file, where anything may be a name.
    dropped: out.dropped.map((row) => ({
      ...row,
      name: blankSecrets(row.name),
    })),
    diagnostics: sortDiagnostics(out.diagnostics),
  };
}

type Collected = { -readonly [K in keyof Imported]: Imported[K][number][] };

const startOf = (json: JsonText): Span | null =>
  json.root === null ? null : json.span(json.root);

/** The entries whose name stands once in its wrapper; a repeated one is dropped, as programs differ in which they take. */
function unique(
  json: JsonText,
  entries: readonly FoundEntry[],
  out: Collected,
): readonly FoundEntry[] {
  const keyOf = (entry: FoundEntry) =>
    JSON.stringify([entry.group, entry.name]);
  const byKey = new Map<string, FoundEntry[]>();
  for (const entry of entries) {
    const same = byKey.get(keyOf(entry));
    if (same === undefined) byKey.set(keyOf(entry), [entry]);
    else same.push(entry);
  }
  return entries.filter((entry) => {
    const [one, two] = byKey.get(keyOf(entry)) ?? [];
    if (one === undefined || two === undefined) return true;
    if (entry !== one) return false;
    const reason = "name-taken";
    out.dropped.push({ name: entry.name, reason });
    out.diagnostics.push(
      report(
        "import/server-dropped",
        { name: entry.name, reason, why: "stands there twice" },
        {
          at: json.span(two.nameNode),
          notes: [
            { message: "the other one is here", at: json.span(one.nameNode) },
          ],
        },
      ),
    );
    return false;
  });
}
