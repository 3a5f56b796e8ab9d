// The rows and messages of servers that are added: what they are, which keys are left out, where secrets stood.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { blankSecrets } from "../match/blank-secrets.ts";
import type { ImportDocument } from "../../schemas/import-document.ts";
import type { LeftKey } from "./read-entry.ts";
import type { Candidate } from "./to-server.ts";

interface AddedRows {
  readonly add: ImportDocument["add"][number];
  readonly dropped: ImportDocument["dropped"];
  readonly tokens: ImportDocument["tokens"];
  readonly diagnostics: readonly Diagnostic[];
}

export function reportAdded(candidate: Candidate): AddedRows {
  const { name, from, file, entry, at, left, tokens } = candidate;
  const tools = typeof entry.tools === "object" ? entry.tools : {};
  const common = {
    name,
    from: file,
    ...(from === name ? {} : { renamedFrom: blankSecrets(from) }),
    args: entry.command?.slice(1) ?? [],
    env: Object.keys(entry.env ?? {}),
    headers: Object.keys(entry.headers ?? {}),
    cwd: entry.cwd ?? null,
    tools: { allow: tools.allow ?? "all", ask: [], deny: tools.deny ?? [] },
  };
  const rows = new Map(
    left.map(({ key, reason }) => [`${reason} ${key}`, { name, key, reason }]),
  );
  return {
    add:
      entry.url === undefined
        ? { ...common, transport: "stdio", command: entry.command?.[0] ?? "" }
        : { ...common, transport: "http", url: entry.url },
    dropped: [...rows.values()],
    tokens: tokens.map(({ where, variable }) => ({
      name,
      where,
      ...(variable === null ? {} : { variable }),
    })),
    diagnostics: [
      ...(from === name
        ? []
        : [report("import/renamed", { name, from }, { at })]),
      ...candidate.diagnostics,
      ...leftOut(name, left),
      ...tokens.map(({ where, stored, variable, at: place }) =>
        stored || variable === null
          ? report(
              "import/token",
              { name, where, variable },
              { at: place, help: `store it with \`fenzi mcp token ${name}\`` },
            )
          : report("import/secret", { name, where, variable }, { at: place }),
      ),
    ],
  };
}

/** Keys that describe a server to people and do nothing. */
const REMARKS =
  /^(?:name|title|description|category|complexity|tags|icons?|version|gallery|author|homepage|license|comment)$|^[_/$]/i;

/** One message for all keys that are left out for the same reason. */
function leftOut(
  name: string,
  left: readonly LeftKey[],
): readonly Diagnostic[] {
  const groups = new Map<string, LeftKey[]>();
  const out: Diagnostic[] = [];
  for (const one of left) {
    if (one.reason === "default") {
      out.push(
        report(
          "import/default-dropped",
          { name, where: one.key, variable: one.why },
          { at: one.at },
        ),
      );
      continue;
    }
    const key = `${REMARKS.test(one.key)} ${one.why}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  for (const [first, ...more] of groups.values())
    if (first !== undefined)
      out.push(
        report(
          "import/key-dropped",
          {
            name,
            keys: [...new Set([first, ...more].map((one) => one.key))],
            why: first.why,
          },
          {
            at: first.at,
            severity: REMARKS.test(first.key) ? "note" : "warning",
          },
        ),
      );
  return out;
}

/** Servers that had different secrets under one name, and now share a variable. */
export function sameVariables(
  added: readonly Candidate[],
): readonly Diagnostic[] {
  const seen = new Map<
    string,
    { readonly by: Candidate; readonly text: string }
  >();
  return added.flatMap((candidate) =>
    [...candidate.secrets].flatMap(([variable, text]) => {
      const earlier = seen.get(variable);
      if (earlier === undefined) {
        seen.set(variable, { by: candidate, text });
        return [];
      }
      return earlier.text === text
        ? []
        : [
            report(
              "import/same-variable",
              { name: candidate.name, other: earlier.by.name, variable },
              {
                at: candidate.at,
                notes: [
                  {
                    message: `\`${earlier.by.name}\` is here`,
                    at: earlier.by.at,
                  },
                ],
              },
            ),
          ];
    }),
  );
}
