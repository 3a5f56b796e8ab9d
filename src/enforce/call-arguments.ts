// What the arguments of a call hold, for `decide`: every string, and every path that one of them may name, resolved on the
// state of the disk now. Cheap where nothing looks like a path: a plain word costs one look, a number nothing.
import type {
  ArgumentPolicy,
  CallArguments,
  NamedPath,
  NamedText,
} from "../policy/argument-rules.ts";
import type { Facts } from "./facts.ts";
import { followPaths, type Followed } from "./follow-path.ts";
import { stringOf, type JsonNode } from "./json-scan.ts";
import { stringsOf, valueOf } from "./json-strings.ts";
import { looksLikePath, partsOf, pathForms } from "./path-forms.ts";

/** So many places are looked at for one call; one that names more is refused. */
const MOST_LOOKS = 10_000;
/** Longer names exist nowhere, and longer paths cannot be opened. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 4_096;

/** A text that a server may take for the list or the object that its tool declares: some read such texts as JSON. */
const JSON_TEXT = /^\s*[[{]/;
const JSON_STRING = /"(?:[^"\\]|\\.)*(?:"|$)/gs;

/** A text of letters, digits, `_` and `-`: a word, or nothing that could be more than one name. */
const PLAIN = /^[\w-]*$/;
/** A path of such words: spelt in one way only, and without parts that are more than one name. */
const PLAIN_PATH = /^[\w./-]*$/;

interface ArgumentFacts {
  readonly shown: (name: string) => boolean;
  readonly isText: (name: string) => boolean;
}

/**
 * `node` is the object of arguments in `text`; `shown` says which of their names may stand in a message, `isText` which
 * arguments are texts and nothing else to the tool.
 */
export function callArguments(
  policy: ArgumentPolicy,
  facts: Facts,
  text: string,
  node: JsonNode | null,
  { shown, isText }: ArgumentFacts,
): Omit<CallArguments, "spent"> {
  const texts: NamedText[] = [];
  const paths: NamedPath[] = [];
  const disk = followPaths(policy, facts, MOST_LOOKS);
  const seen = new Set<string>();
  const add = (value: string, argument: string | null): void => {
    if (seen.has(value)) return;
    seen.add(value);
    texts.push({ text: value, argument });
    addPaths(value, argument);
  };
  const addPaths = (value: string, argument: string | null): void => {
    for (const { whole, written, real } of pathsIn(value, disk, facts))
      paths.push({ argument, whole, written, real });
  };
  for (const { name, value } of node?.members ?? []) {
    const argument = shown(name) ? name : null;
    // A plain word here is the name of a parameter, as the tool declares it, and no file's.
    if (PLAIN.test(name)) texts.push({ text: name, argument });
    else add(name, argument);
    if (value.kind === "string") {
      const given = stringOf(text, value) ?? "";
      add(given, argument);
      if (JSON_TEXT.test(given) && !isText(name))
        for (const [token] of given.matchAll(JSON_STRING))
          add(unquoted(token), argument);
    } else if (value.kind === "object" || value.kind === "array") {
      const inner = text.slice(value.start, value.end);
      if (!inner.includes('"')) continue;
      for (const token of stringsOf(inner))
        add(valueOf(inner, token), argument);
    }
  }
  return { texts, paths, tooMany: disk.tooMany() };
}

/** As it stands where it is no JSON: other readers are less strict. */
function unquoted(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1).replace(/"$/, "");
  }
}

type Found = Omit<NamedPath, "argument">;

function pathsIn(
  value: string,
  disk: Followed,
  facts: Facts,
): readonly Found[] {
  if (PLAIN_PATH.test(value)) return whole(value, value, disk, facts);
  const forms = pathForms(value);
  if (forms === "unreadable") return [{ whole: true, written: [], real: null }];
  const out: Found[] = [];
  const parts = new Set<string>();
  for (const form of forms) {
    for (const each of whole(value, form, disk, facts)) out.push(each);
    for (const part of partsOf(form)) parts.add(part);
  }
  for (const form of forms) parts.delete(form);
  const words: string[] = [];
  for (const part of parts)
    if (looksLikePath(part)) out.push(followed(part, disk, false));
    else if (part.length <= LONGEST_NAME) words.push(part);
  for (const each of words.length > 1 ? disk.among(words) : words)
    for (const found of word(each, disk, false)) out.push(found);
  return out;
}

const NONE: readonly Found[] = [];

/** What one form of a text names, taken as it stands. */
function whole(
  value: string,
  form: string,
  disk: Followed,
  facts: Facts,
): readonly Found[] {
  if (!looksLikePath(form)) return word(form, disk, true);
  return (!isProse(form) && !isPattern(value, form, facts)) || disk.names(form)
    ? [followed(form, disk, true)]
    : NONE;
}

/** A name without a slash is a path when something of that name is there. */
const word = (
  name: string,
  disk: Followed,
  whole: boolean,
): readonly Found[] =>
  name !== "" && name.length <= LONGEST_NAME && disk.isThere(name)
    ? [followed(name, disk, whole)]
    : NONE;

function followed(form: string, disk: Followed, whole: boolean): Found {
  const { written, real } = disk.follow(form);
  return { whole, written, real };
}

/** `\d+`: a path from the root only to programs that take backslashes for slashes. */
const isPattern = (value: string, form: string, facts: Facts): boolean =>
  !facts.windows && value.startsWith("\\") && form.startsWith("/");

/** Several lines, or more than a path can have: what is written into files, and no name, unless it leads somewhere. */
const isProse = (form: string): boolean =>
  form.length > LONGEST_PATH || /[\r\n]/.test(form);
