// Patterns for every tool name that is not listed. Grok has no form for "all but these": a name that is not listed leaves every
// listed one at some character, and a pattern says where. Nothing listed is ever matched.
//
// In Grok's patterns `?` is one character, `*` any run, `[!ab]` one other character, and case does not count, except in a range
// with a bound that is no letter: `[@-Z]` is a capital letter and nothing else.

interface Others {
  readonly patterns: readonly string[];
  /** What was listed and cannot be told from another name that was: it is matched like any other name. */
  readonly left: readonly string[];
}

/** Where listed names are alike but for case. */
interface Node {
  /** In small letters. */
  readonly prefix: string;
  /** By small letter. */
  readonly next: Map<string, Node>;
  /** The same characters as they are listed: each in one case. */
  readonly characters: Map<string, string>;
  /** What is listed from here on. */
  readonly texts: string[];
  /** A listed name ends here. */
  ends: boolean;
  /** A listed pattern has its `*` here: what follows is left alone. */
  open: boolean;
}

/** `listed`: names, and patterns with `*` at the end, of letters, digits, `_` and `-`. */
export function othersThan(listed: readonly string[]): Others {
  const root = newNode("");
  const left = listed.filter((text) => !insert(root, text));
  const told = listed.filter((text) => !left.includes(text));
  const patterns: string[] = [];
  for (const pattern of below(root, told)) {
    if (typeof pattern === "string") patterns.push(pattern);
    else {
      const without = told.filter((text) => text !== pattern.text);
      const others = othersThan(without);
      return { ...others, left: [...left, pattern.text, ...others.left] };
    }
  }
  return { patterns, left };
}

const newNode = (prefix: string): Node => ({
  prefix,
  next: new Map(),
  characters: new Map(),
  texts: [],
  ends: false,
  open: false,
});

/** Longer names than MCP has would each take a pattern for every character. */
const LONGEST = 128;

/** False, and nothing changed, when the text is listed in another case up to some character, or is too long. */
function insert(root: Node, text: string): boolean {
  const fixed = fixedPart(text);
  if (fixed.length > LONGEST) return false;
  const path = [root];
  for (const character of fixed) {
    const at = path.at(-1);
    const key = character.toLowerCase();
    if ((at?.characters.get(key) ?? character) !== character) return false;
    path.push(at?.next.get(key) ?? newNode(`${at?.prefix}${key}`));
  }
  path.forEach((at, i) => {
    const after = path[i + 1];
    const character = fixed[i];
    at.texts.push(text);
    if (after === undefined || character === undefined) {
      if (fixed === text) at.ends = true;
      else at.open = true;
      return;
    }
    at.next.set(character.toLowerCase(), after);
    at.characters.set(character.toLowerCase(), character);
  });
  return true;
}

const fixedPart = (text: string): string => text.replace(/\*+$/, "");

/** A pattern, or a text for which there is none. */
type Said = string | { readonly text: string };

function below(at: Node, told: readonly string[]): readonly Said[] {
  if (at.open) return [];
  if (!some(at, (n) => n.open)) return belowClosed(at, told);
  return [
    ...short(at),
    otherCharacter(at),
    ...otherCase(at, told),
    ...children(at).flatMap((n) => below(n, told)),
  ];
}

/** Where nothing is left alone, one pattern can speak for many names. */
function belowClosed(top: Node, told: readonly string[]): readonly Said[] {
  const out: Said[] = [];
  const small = !some(top, (n) => [...n.characters.values()].some(isCapital));
  if (small && top.next.size > 0) out.push(`${top.prefix}*[@-Z]*`);
  let any = top.prefix;
  for (let level = [top]; level.length > 0; level = level.flatMap(children)) {
    if (any !== "")
      for (const each of level.some((n) => n.ends)
        ? level.flatMap(short)
        : [any])
        out.push(each);
    for (const each of level.map(otherCharacter)) out.push(each);
    if (!small)
      for (const each of level.flatMap((n) => otherCase(n, told)))
        out.push(each);
    any += "?";
  }
  return out;
}

/** The name that is only the beginning of listed ones. */
const short = ({ ends, prefix }: Node): readonly string[] =>
  ends || prefix === "" ? [] : [prefix];

function otherCharacter({ prefix, next }: Node): string {
  if (next.size === 0) return `${prefix}?*`;
  const keys = [...next.keys()].sort().join("");
  // A dash stands last, where it is itself.
  const dash = keys.includes("-") ? "-" : "";
  return `${prefix}[!${keys.replace("-", "")}${dash}]*`;
}

/** The next character in the case in which it is not listed. */
function otherCase(at: Node, told: readonly string[]): readonly Said[] {
  const characters = [...at.characters.values()];
  if (!characters.some(isCapital))
    return characters.some(isSmall) ? [`${at.prefix}[@-Z]*`] : [];
  if (!characters.some(isSmall)) return [`${at.prefix}[\`-z]*`];
  // Both: one pattern for each text, with a range that no other text has its character in.
  return at.texts.flatMap((text): readonly Said[] => {
    const character = text[at.prefix.length] ?? "";
    if (!isCapital(character) && !isSmall(character)) return [];
    const [range] = rangesTo(flipped(character)).filter(
      (r) => !told.some((other) => meets(other, text, at.prefix.length, r)),
    );
    return range === undefined
      ? [{ text }]
      : [
          `${at.prefix}[${range.join("-")}]${text.slice(at.prefix.length + 1).toLowerCase()}`,
        ];
  });
}

/** From the character beside the letters of its case to a letter, and from the letter to the other end. */
const rangesTo = (letter: string): readonly (readonly [string, string])[] =>
  isCapital(letter)
    ? [
        ["@", letter],
        [letter, "["],
      ]
    : [
        ["`", letter],
        [letter, "{"],
      ];

/** Whether `text` with a range at a place matches a name that `other` lists. */
function meets(
  other: string,
  text: string,
  place: number,
  [from, to]: readonly [string, string],
): boolean {
  const character = other[place] ?? "";
  if (character < from || character > to) return false;
  const mine = fixedPart(text).toLowerCase();
  const theirs = fixedPart(other).toLowerCase();
  const shared = Math.min(mine.length, theirs.length);
  return (
    (mine.length === shared || fixedPart(other) !== other) &&
    (theirs.length === shared || fixedPart(text) !== text) &&
    mine.slice(0, place) === theirs.slice(0, place) &&
    mine.slice(place + 1, shared) === theirs.slice(place + 1, shared)
  );
}

const isCapital = (c: string) => /[A-Z]/.test(c);
const isSmall = (c: string) => /[a-z]/.test(c);
const flipped = (c: string) =>
  isCapital(c) ? c.toLowerCase() : c.toUpperCase();

const children = (at: Node): Node[] => [...at.next.values()];

const some = (at: Node, test: (n: Node) => boolean): boolean =>
  test(at) || children(at).some((n) => some(n, test));
