// A local server: its words and variables without secrets, and its folder.
import { report } from "../diagnostics/catalog.ts";
import { findSecret } from "../match/secret.ts";
import { VARIABLE_NAME } from "../match/template.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import { hideSecrets, variablePart } from "./hide-secrets.ts";
import type { SourcePair, SourceText } from "./read-entry.ts";
import { noteLiterals, references, type ServerNotes } from "./server-notes.ts";

export function toLocal(
  notes: ServerNotes,
  words: readonly SourceText[],
  pairs: readonly SourcePair[],
  cwd: SourceText | null,
): ServerEntry {
  const texts = words.map((word) => references(notes, word));
  const command: string[] = [];
  words.forEach((word, i) => {
    const text = texts[i] ?? "";
    const variable = `${variablePart(notes.name)}_ARG_${i}`;
    const hidden = SECRET_STORE.test(text)
      ? { text: `\${${variable}}`, variables: [variable] }
      : hideSecrets(
          text,
          { kind: "word", before: texts[i - 1] ?? null },
          variable,
        );
    command.push(hidden.text);
    for (const found of hidden.variables)
      notes.tokens.push({
        where: word.where,
        stored: false,
        variable: found,
        at: notes.span(word.node),
      });
    noteLiterals(notes, hidden.text, word);
  });
  notePrograms(notes, command, words[0]);
  const env = new Map<string, string>();
  for (const pair of pairs) {
    const { name, where } = pair;
    const at = notes.span(pair.node);
    const named =
      VARIABLE_NAME.test(name) &&
      name !== "__proto__" &&
      findSecret(name, { kind: "text" }) === null;
    if (!named || env.has(name)) {
      notes.left.push({
        key: where,
        reason: "not-a-name",
        why: named
          ? "it stands there twice"
          : "it is not a name of an environment variable",
        at,
      });
      continue;
    }
    const text = references(notes, pair);
    const secret =
      findSecret(text, { kind: "env", name }) !== null ||
      SECRET_STORE.test(text);
    if (secret) {
      notes.tokens.push({ where, stored: false, variable: name, at });
      notes.secrets.set(name, text);
    } else noteLiterals(notes, text, pair);
    env.set(name, secret ? `\${${name}}` : text);
  }
  const folder = cwd === null ? null : folderOf(notes, cwd);
  return {
    command,
    ...(env.size === 0 ? {} : { env: Object.fromEntries(env) }),
    ...(folder === null ? {} : { cwd: folder }),
  };
}

/** An address in a store of secrets, which only the tool it was written for can resolve. */
const SECRET_STORE =
  /^(?:op|se|vault|bws|doppler|infisical|keychain|keyring|aws-sm|gcp-sm|azure-kv|akv|secretref|ref\+[a-z0-9]{1,20}):\/\/\S/i;

/** The folder, when fenzi.yaml can say it. */
function folderOf(notes: ServerNotes, cwd: SourceText): string | null {
  const { text, where, node } = cwd;
  const leave = (why: string) =>
    void notes.left.push({
      key: where,
      reason: "folder",
      why,
      at: notes.span(node),
    });
  if (/^(?:\.?[\\/]?|\$\{workspaceFolder\}[\\/]?)$/.test(text))
    leave("a project's server starts in the folder of its fenzi.yaml anyway");
  else if (
    !/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(text) ||
    text.includes("${") ||
    text.includes("\0") ||
    !text.isWellFormed()
  )
    leave("a folder must be an absolute path here");
  else if (findSecret(text, { kind: "text" }) !== null)
    leave("it holds what looks like a secret");
  else return text;
  return null;
}

/** Programs that start only on Windows, or only through a shell. */
function notePrograms(
  notes: ServerNotes,
  command: readonly string[],
  first: SourceText | undefined,
): void {
  const [shell = "", flag = "", program = ""] = command;
  const at = first === undefined ? null : notes.span(first.node);
  if (/^(?:.*[\\/])?cmd(?:\.exe)?$/i.test(shell) && /^\/[ck]$/i.test(flag))
    notes.diagnostics.push(
      report("import/windows-command", { name: notes.name, program }, { at }),
    );
  // A path may have blanks; a name looked up in PATH hardly does.
  if (/^[^\s\\/]+\s/.test(shell))
    notes.diagnostics.push(
      report("import/blank-in-program", { name: notes.name }, { at }),
    );
}

/** An entry that starts our own guard, directly or through `npx` or `cmd /c`. */
export function isGuard(command: readonly string[]): boolean {
  const at = command.findIndex((word) =>
    /^(?:.*[\\/])?fenzi(?:\.cmd|\.exe|@[\w.-]+)?$/i.test(word),
  );
  return at >= 0 && at <= 4 && command[at + 1] === "guard";
}
