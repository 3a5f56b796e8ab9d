// Codes for text that is not the YAML we read, and for keys and values of the wrong shape.
import { define, nearestHint, quote } from "./define.ts";

export const sourceCodes = {
  "source/not-yaml": define<{ reason: string }>(
    "error",
    (p) => `not valid YAML: ${p.reason}`,
    "The file does not parse as YAML 1.2. It is never treated as empty and never rewritten: correct it at the position shown.",
  ),
  "source/duplicate-key": define<{ key: string }>(
    "error",
    (p) => `the key ${quote(p.key)} stands here twice`,
    "YAML keys must be unique in their mapping. Programs differ in which of two they take, so a rule could be lost.",
  ),
  "source/several-documents": define<Record<never, never>>(
    "error",
    () => "the file must hold one YAML document",
    "A `---` starts a second document. Only one is read, so the rest would be ignored without a word.",
  ),
  "source/directive": define<{ directive: string }>(
    "error",
    (p) => `YAML directives are not allowed: ${quote(p.directive)}`,
    "A directive like `%YAML 1.1` changes what values mean (`no` would become false). Fenzi reads YAML 1.2 core.",
  ),
  "source/tag": define<{ tag: string }>(
    "error",
    (p) => `YAML tags are not allowed: ${quote(p.tag)}`,
    "Tags change the type of a value, and programs differ in which they know. Write the value plainly, with quotes for text.",
  ),
  "source/key-not-text": define<{ key: string }>(
    "error",
    (p) => `the key ${quote(p.key)} is not text; put it in quotes`,
    "Keys must be text. A bare `1.10`, `null` or `true` is a number, nothing or a truth value in YAML, and would be changed in reading.",
  ),
  "source/reserved-key": define<{ key: string }>(
    "error",
    (p) => `${quote(p.key)} is not allowed as a key`,
    "The key has a meaning of its own in JavaScript or in older YAML (`<<` merges mappings there) and is refused everywhere.",
  ),
  "source/null": define<{ key: string }>(
    "error",
    (p) => `${quote(p.key)} has no value`,
    "A key with nothing behind it could mean all or nothing. Write the value, `[]` for an empty list, or take the key away.",
  ),
  "source/alias": define<{ reason: string }>(
    "error",
    (p) => p.reason,
    "An alias must name an anchor further up in the same file (files are parsed apart). Aliases may not form a circle and may be used at most 100 times in a file, so that a small file cannot become a huge one.",
  ),
  "source/not-text": define<Record<never, never>>(
    "error",
    () =>
      "the text holds a character that cannot be written: NUL or half of a surrogate pair",
    "NUL cannot be passed to a program, and half of a surrogate pair is not a character; neither could arrive at the agent as written.",
  ),
  "schema/unknown-key": define<{
    key: string;
    nearest: string | null;
    known: readonly string[];
  }>(
    "error",
    (p) =>
      `unknown key ${quote(p.key)}${p.nearest === null ? `; known here: ${quote(...p.known)}` : nearestHint(p.nearest)}`,
    "Unknown keys are errors: a misspelt rule would be a rule that is not there. A key of a later version is unknown too, so that nobody believes in a rule that is not enforced.",
  ),
  "schema/wrong-type": define<{ expected: string; found: string }>(
    "error",
    (p) => `must be ${p.expected}, not ${p.found}`,
    "The value has another type than this key takes. YAML turns bare words into numbers and truth values; quotes keep them text.",
  ),
  "schema/wrong-value": define<{ expected: string }>(
    "error",
    (p) => `must be ${p.expected}`,
    "The value has the right type but is not one that this key takes.",
  ),
  "schema/missing-key": define<{ key: string }>(
    "error",
    (p) => `the key ${quote(p.key)} is missing`,
    "This key must be written. Every file starts with `version: 1`.",
  ),
  "schema/secret-in-settings": define<{ key: string; agent: string }>(
    "error",
    (p) =>
      `${quote(p.key)} holds what looks like a secret, and would be written into a file for ${p.agent}`,
    "An agent's own settings under `agents` are written into its compiled folder as they stand. No file there holds a secret: name a variable, or a program that prints the secret, in the way the agent has for it. If it is not a secret, write `# fenzi: not a secret` at the end of the line.",
  ),
  "schema/too-many": define<{ what: string; most: number }>(
    "error",
    (p) => `more than ${p.most} ${p.what}`,
    "A file has at most 1000 servers and 5000 tool rules, a server at most 1000 rules, and a rule at most 256 characters. Nobody reads more, no agent takes more, and a file that a repository brings must not keep Fenzi busy.",
  ),
  "schema/machine-only": define<{ key: string }>(
    "error",
    (p) => `${quote(p.key)} belongs into the machine file, not into a project`,
    "This key decides about the machine or can run code, so a repository must not set it. Put it into the machine file (`fenzi check` prints its path).",
  ),
};
