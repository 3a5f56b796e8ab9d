// What was read of an entry, as a server of fenzi.yaml: references in our form, no secrets, only what can be said there.
// What cannot be said is left out and reported; a server whose address is no good is dropped.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type { ServerReason } from "../../schemas/import-document.ts";
import type { FoundEntry } from "./find-entries.ts";
import { findSecret } from "../match/secret.ts";
import { fitName } from "./fit-name.ts";
import type { JsonText } from "../source/json-text.ts";
import type { Drop, LeftKey, ReadEntry } from "./read-entry.ts";
import type { FoundToken } from "./read-headers.ts";
import type { ServerNotes } from "./server-notes.ts";
import { isGuard, toLocal } from "./to-local.ts";
import { toRemote, urlProblem } from "./to-remote.ts";

/** A server that could be added, if its name and its host are free. */
export interface Candidate {
  readonly name: string;
  /** Its name in the source. */
  readonly from: string;
  readonly file: string;
  /** Which part of which source it lies in. */
  readonly group: string;
  readonly at: Span;
  readonly entry: ServerEntry;
  readonly left: readonly LeftKey[];
  readonly tokens: readonly FoundToken[];
  /** Raw secrets by the variable that now stands for them, to see whether two servers differ. Never shown. */
  readonly secrets: ReadonlyMap<string, string>;
  /** True when `fenzi guard` wrote it. */
  readonly guard: boolean;
  /** To be shown when it is added. */
  readonly diagnostics: readonly Diagnostic[];
}

export function toServer(
  json: JsonText,
  found: FoundEntry,
  read: ReadEntry,
  inputDefaults: ReadonlySet<string>,
): Candidate | Drop {
  const at = json.span(found.nameNode);
  const notes: ServerNotes = {
    name: fitName(found.name),
    left: [...read.left],
    tokens: [],
    secrets: new Map(),
    diagnostics: [],
    span: json.span,
    inputDefaults,
  };
  const drop = (reason: ServerReason, why: string, place: Span = at): Drop => ({
    reason,
    diagnostics: [
      report(
        "import/server-dropped",
        { name: found.name, reason, why },
        { at: place },
      ),
    ],
  });
  const { transport } = read;
  const bad = [
    ...(transport.kind === "stdio" ? transport.words : [transport.url]),
    ...read.env,
    ...read.headers,
  ].find(({ text }) => text.includes("\0") || !text.isWellFormed());
  if (bad !== undefined)
    return drop(
      "not-an-entry",
      `has \`${bad.where}\`, which holds a NUL or half a character`,
      json.span(bad.node),
    );
  if (findSecret(notes.name, { kind: "text" }) !== null)
    return drop("not-an-entry", "has a name that looks like a secret");
  let entry: ServerEntry;
  if (transport.kind === "http") {
    const problem = urlProblem(transport);
    if (problem !== null)
      return drop(problem.reason, problem.why, json.span(transport.url.node));
    entry = toRemote(notes, transport.url, read.headers);
  } else entry = toLocal(notes, transport.words, read.env, read.cwd);
  if (read.off !== null)
    notes.diagnostics.push(
      report(
        "import/switched-off",
        { name: notes.name, why: read.off },
        { at },
      ),
    );
  return {
    name: notes.name,
    from: found.name,
    file: json.file,
    group: found.group,
    at,
    entry: {
      ...entry,
      ...(read.off === null ? {} : { enabled: false }),
      ...tools(notes, read, at),
    },
    left: notes.left,
    tokens: notes.tokens,
    secrets: notes.secrets,
    guard: isGuard(entry.command ?? []),
    diagnostics: notes.diagnostics,
  };
}

function tools(
  notes: ServerNotes,
  read: ReadEntry,
  at: Span,
): Pick<ServerEntry, "tools"> {
  const { allow, deny } = read.tools;
  const isRemote = read.transport.kind === "http";
  if (allow === null && isRemote)
    notes.diagnostics.push(
      report("import/all-tools", { name: notes.name }, { at }),
    );
  if (deny.length === 0 && (allow === null || allow === "all"))
    return isRemote ? { tools: "all" } : {};
  return {
    tools: {
      ...(allow === null && !isRemote
        ? {}
        : { allow: allow === null ? "all" : mutable(allow) }),
      ...(deny.length === 0 ? {} : { deny: [...deny] }),
    },
  };
}

const mutable = (allow: "all" | readonly string[]): "all" | string[] =>
  allow === "all" ? "all" : [...allow];
