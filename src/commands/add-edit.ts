// The edit of `fenzi mcp add`: refuses what would change another server than the one meant, or would write a secret.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { setServer } from "../format/yaml-edit.ts";
import { findSecret, type SecretPlace } from "../match/secret.ts";
import { VARIABLE_NAME } from "../match/template.ts";
import type { Project } from "../compile.ts";
import type { Target, TextEdit } from "./edit-file.ts";
import { editEntry } from "./edit-entry.ts";
import { entryIn, findServer, type StandingEntry } from "./find-server.ts";
import { UsageError } from "./outcome.ts";
import type { Wanted } from "./read-wanted.ts";

interface AddEdit {
  readonly target: Target;
  readonly wanted: Wanted;
  readonly update: boolean;
  /** A path as it is shown to people. */
  readonly show: (path: string) => string;
}

export const addEdit =
  ({ target, wanted, update, show }: AddEdit): TextEdit =>
  (text, project) => {
    const { name, transport } = wanted;
    const stop = (diagnostic: Diagnostic) => ({ diagnostics: [diagnostic] });
    const cannotEdit = (reason: string) =>
      report("write/cannot-edit", { file: show(target.file), reason });
    const here = entryIn(target.file, text, name);
    const outer = outerEntry(project, target, name);
    if (here !== null && !update)
      return stop(
        report(
          "edit/name-exists",
          { name, file: show(target.file) },
          { at: here.at, help: "`--update` changes it" },
        ),
      );
    if (outer !== undefined && transport !== null && here === null)
      return stop(
        report(
          "edit/outer-name",
          { name, layer: outer.layer },
          {
            notes: [{ message: `\`${name}\` is defined here`, at: outer.at }],
            help: `narrow it with \`fenzi mcp add ${name} --deny TOOL\`, or use another name`,
          },
        ),
      );
    if (transport === null && here === null) {
      if (outer === undefined)
        throw new UsageError(
          `say what \`${name}\` is: its URL, or \`--\` and a command`,
          `fenzi mcp add ${name} URL, or fenzi mcp add ${name} -- COMMAND ARG…`,
        );
      if (editsIdentity(wanted))
        throw new UsageError(
          `\`${name}\` is defined by the ${outer.layer} file, ${show(outer.file)}`,
          "here it can only be narrowed: `--tool`, `--ask`, `--deny`",
        );
    }
    if (here !== null && here.entry === null)
      return stop(cannotEdit("the entry that is there has errors"));
    const entry = editEntry(wanted, here?.entry ?? null);
    if (Object.keys(entry).length === 0)
      throw new UsageError(
        `say what to change of \`${name}\`: its URL or command, or \`--tool\`, \`--ask\`, \`--deny\``,
      );
    const done = setServer(text, name, entry);
    return "problem" in done
      ? stop(cannotEdit(done.problem))
      : { text: done.text };
  };

/** The entry of that name in the outermost file that lies outside of the target. */
function outerEntry(
  project: Project,
  target: Target,
  name: string,
): StandingEntry | undefined {
  if (target.machine) return undefined;
  const files = project.found.files.map((f) => f.file);
  const own = files.indexOf(target.file);
  const outer = own < 0 ? files : files.slice(0, own);
  return findServer(project, name).find((s) => outer.includes(s.file));
}

/** Rules can be laid on an outer server; these say what it is. */
const editsIdentity = (wanted: Wanted): boolean =>
  wanted.token ||
  Object.keys(wanted.env).length > 0 ||
  Object.keys(wanted.headers).length > 0;

/** Literal secrets among what was given, each with what to write instead. The value is never shown. */
export function secretsIn({
  transport,
  env,
  headers,
}: Wanted): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  const look = (
    text: string,
    place: SecretPlace,
    what: string,
    help: string,
  ) => {
    if (findSecret(text, place) !== null)
      out.push(
        report(
          "edit/secret",
          { what },
          { help, notes: [{ message: ESCAPE, at: null }] },
        ),
      );
  };
  for (const [key, text] of Object.entries(env))
    look(
      text,
      { kind: "env", name: key },
      `--env ${key}`,
      `write --env '${key}=\${${variable(key)}}' and set the variable`,
    );
  for (const [key, text] of Object.entries(headers))
    look(
      text,
      { kind: "header", name: key },
      `--header ${key}`,
      /^authorization$/i.test(key)
        ? "give `--token` instead, and type the token when asked"
        : `write --header '${key}: \${${variable(key)}}' and set the variable`,
    );
  if (transport?.kind === "http")
    look(
      transport.url,
      { kind: "url" },
      "URL",
      "take it out of the URL and give `--token`, which keeps it in the keychain",
    );
  if (transport?.kind === "stdio")
    transport.command.forEach((word, i, all) => {
      const before = all[i - 1] ?? null;
      const flag = before?.startsWith("-") === true ? before : `word ${i + 1}`;
      look(
        word,
        { kind: "word", before },
        flag,
        `write '\${${variable(flag)}}' in its place, in single quotes, and set the variable`,
      );
    });
  return out;
}

const ESCAPE =
  "if it is none, write the line by hand, and `# fenzi: not a secret` at its end";

/** A name for the variable that takes the value's place. */
function variable(key: string): string {
  if (VARIABLE_NAME.test(key)) return key;
  const name = key
    .replace(/^-+/, "")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
  return VARIABLE_NAME.test(name) ? name : "NAME";
}
