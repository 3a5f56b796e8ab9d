// Reads JSON text strictly (RFC 8259, nothing more) in one pass and keeps places instead of values: what is judged can
// then be passed on as it stands, numbers untouched, and a part is taken out by cutting the text. Refuses what two
// parsers could read differently: a member name that stands twice (after its escapes), a number that overflows.
// The pass keeps its own stack, so that depth costs no call stack.

export interface JsonNode {
  readonly kind: "object" | "array" | "string" | "number" | "word";
  /** UTF-16 offsets in the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** True for a string with escapes in it. */
  readonly escaped: boolean;
  /** Levels of objects and arrays in it, itself included: 0 for a scalar. */
  readonly height: number;
  /** Members of an object in order; null when it is no object, or lies deeper than was asked for. */
  readonly members: readonly JsonMember[] | null;
  /** Items of an array; null likewise. */
  readonly items: readonly JsonNode[] | null;
}

export interface JsonMember {
  /** Escapes decoded. */
  readonly name: string;
  readonly nameStart: number;
  readonly nameEscaped: boolean;
  readonly value: JsonNode;
}

export interface ScanLimits {
  /** Levels of objects and arrays that are allowed. */
  readonly depth: number;
  /** Members that one object may have. */
  readonly members: number;
  /** Levels whose members and items are kept; below them only the place of a value is known. */
  readonly keep: number;
  /** Values that may be kept, so that a long list of nothing cannot fill the memory. */
  readonly nodes: number;
}

export type ScanProblem =
  "syntax" | "duplicate" | "surrogate" | "number" | "depth" | "members";

export type ScanResult =
  | {
      readonly root: JsonNode;
      /** True when a string holds half a surrogate pair as an escape. In a member name that is a problem. */
      readonly loneSurrogate: boolean;
    }
  | { readonly problem: ScanProblem; readonly at: number };

/** An object or array that is still open. */
interface Frame {
  readonly object: boolean;
  readonly start: number;
  height: number;
  count: number;
  /** Names of the members so far, where the members are not kept; a set from the ninth on, in any case. */
  names: string[] | null;
  seen: Set<string> | null;
  readonly members: JsonMember[] | null;
  readonly items: JsonNode[] | null;
  /** The member whose value comes next. */
  name: string;
  nameStart: number;
  nameEscaped: boolean;
}

/** Objects with so few members are compared by going through the list: quicker than a set. */
const FEW = 8;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

export function scanJson(text: string, limits: ScanLimits): ScanResult {
  const frames: Frame[] = [];
  let top: Frame | null = null;
  let i = 0;
  let problem: ScanProblem | null = null;
  // What the last string that was read was like.
  let escaped = false;
  let lone = false;
  let anyLone = false;
  let kept = 0;

  const blanks = (): void => {
    for (;;) {
      const c = text.charCodeAt(i);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      i++;
    }
  };

  // Where the next quote and the next backslash are, as far as that is known; found by the engine's own search.
  let quote = -1;
  let backslash = -1;
  const hasControls = /[\0-\x1f]/.test(text);

  /** Reads a string that starts at `i`; false when it is none. */
  const string = (): boolean => {
    escaped = false;
    lone = false;
    for (let at = i + 1; ; at = i + 1) {
      if (quote < at) quote = indexFrom(text, '"', at);
      if (backslash < at) backslash = indexFrom(text, "\\", at);
      i = Math.min(quote, backslash);
      if (i === text.length) return false;
      if (hasControls && !isPrintable(text, at, i)) return false;
      if (quote < backslash) return (i++, true);
      if (!escape()) return false;
    }
  };

  /** Reads an escape at `i` and stays on its last character. */
  const escape = (): boolean => {
    escaped = true;
    const c = text.charCodeAt(++i);
    if (c !== 0x75)
      return i < text.length && '"\\/bfnrt'.includes(text.charAt(i));
    const unit = hex();
    if (unit < 0) return false;
    if (unit >= 0xdc00 && unit <= 0xdfff) lone = anyLone = true;
    if (unit < 0xd800 || unit > 0xdbff) return true;
    if (
      text.charCodeAt(i + 1) === BACKSLASH &&
      text.charCodeAt(i + 2) === 0x75
    ) {
      const here = i;
      i += 2;
      const next = hex();
      if (next >= 0xdc00 && next <= 0xdfff) return true;
      i = here;
    }
    lone = anyLone = true;
    return true;
  };

  /** The four hexadecimal digits behind the `u` at `i`, or -1. */
  const hex = (): number => {
    let value = 0;
    for (let n = 0; n < 4; n++) {
      const c = text.charCodeAt(++i);
      const lower = c | 0x20;
      if (c >= 0x30 && c <= 0x39) value = value * 16 + (c - 0x30);
      else if (lower >= 0x61 && lower <= 0x66)
        value = value * 16 + (lower - 0x57);
      else return -1;
    }
    return value;
  };

  const digits = (): boolean => {
    const from = i;
    while (text.charCodeAt(i) >= 0x30 && text.charCodeAt(i) <= 0x39) i++;
    return i > from;
  };

  const number = (): boolean => {
    const from = i;
    if (text.charCodeAt(i) === 0x2d) i++;
    if (text.charCodeAt(i) === 0x30) i++;
    else if (!digits()) return false;
    if (text.charCodeAt(i) === 0x2e && (i++, !digits())) return false;
    let exponent = false;
    if ((text.charCodeAt(i) | 0x20) === 0x65) {
      exponent = true;
      i++;
      const sign = text.charCodeAt(i);
      if (sign === 0x2b || sign === 0x2d) i++;
      if (!digits()) return false;
    }
    // `1e400` is infinity to one parser, an error or a large number to another.
    if (
      (exponent || i - from > 300) &&
      !Number.isFinite(Number(text.slice(from, i)))
    )
      return ((problem = "number"), false);
    return true;
  };

  /** Reads a member's name and the colon, up to its value. */
  const name = (frame: Frame): boolean => {
    const from = i;
    if (text.charCodeAt(i) !== QUOTE || !string()) return false;
    const raw = text.slice(from, i);
    const decoded = escaped ? (JSON.parse(raw) as string) : raw.slice(1, -1);
    if (lone) return ((problem = "surrogate"), false);
    if (++frame.count > limits.members) return ((problem = "members"), false);
    if (frame.seen === null && frame.count > FEW)
      frame.seen = new Set(namesIn(frame));
    if (frame.seen === null ? hasName(frame, decoded) : frame.seen.has(decoded))
      return ((problem = "duplicate"), false);
    if (frame.seen !== null) frame.seen.add(decoded);
    else if (frame.members === null) (frame.names ??= []).push(decoded);
    frame.name = decoded;
    frame.nameStart = from;
    frame.nameEscaped = escaped;
    blanks();
    if (text.charCodeAt(i) !== 0x3a) return false;
    i++;
    blanks();
    return true;
  };

  const open = (object: boolean): Frame => {
    const keep = frames.length < limits.keep;
    return {
      object,
      start: i,
      height: 0,
      count: 0,
      names: null,
      seen: null,
      members: object && keep ? [] : null,
      items: !object && keep ? [] : null,
      name: "",
      nameStart: 0,
      nameEscaped: false,
    };
  };

  const fail = (): ScanResult => ({ problem: problem ?? "syntax", at: i });

  blanks();
  for (;;) {
    const c = text.charCodeAt(i);
    let node: JsonNode | null = null;
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (frames.length >= limits.depth) return ((problem = "depth"), fail());
      top = open(c === OPEN_OBJECT);
      frames.push(top);
      i++;
      blanks();
      const next = text.charCodeAt(i);
      if (next !== (top.object ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (top.object && !name(top)) return fail();
        continue;
      }
    } else {
      const from = i;
      let kind: JsonNode["kind"] = "word";
      if (c === QUOTE) {
        if (!string()) return fail();
        kind = "string";
      } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
        if (!number()) return fail();
        kind = "number";
      } else if (c === 0x74 && text.startsWith("true", i)) i += 4;
      else if (c === 0x66 && text.startsWith("false", i)) i += 5;
      else if (c === 0x6e && text.startsWith("null", i)) i += 4;
      else return fail();
      // Below the levels that are kept nobody looks at a scalar.
      if (top === null || top.members !== null || top.items !== null)
        node = scalar(kind, from, i, kind === "string" && escaped);
      if (top === null)
        return atEnd(text, i)
          ? { root: node as JsonNode, loneSurrogate: anyLone }
          : fail();
      if (node !== null && ++kept > limits.nodes)
        return ((problem = "members"), fail());
      attach(top, node, 0);
      blanks();
    }
    // A value has ended, or an empty object or array waits for its bracket.
    for (;;) {
      const frame: Frame = top;
      const next = text.charCodeAt(i);
      if (next === COMMA) {
        i++;
        blanks();
        if (frame.object && !name(frame)) return fail();
        break;
      }
      if (next !== (frame.object ? CLOSE_OBJECT : CLOSE_ARRAY)) return fail();
      i++;
      frames.pop();
      const parent = frames.at(-1) ?? null;
      const keep =
        parent === null || parent.members !== null || parent.items !== null;
      if (keep && ++kept > limits.nodes) return ((problem = "members"), fail());
      const closed = keep ? container(frame, i) : null;
      if (parent === null)
        return atEnd(text, i)
          ? { root: closed as JsonNode, loneSurrogate: anyLone }
          : fail();
      attach(parent, closed, frame.height + 1);
      top = parent;
      blanks();
    }
  }
}

const scalar = (
  kind: JsonNode["kind"],
  start: number,
  end: number,
  escaped: boolean,
): JsonNode => ({
  kind,
  start,
  end,
  escaped,
  height: 0,
  members: null,
  items: null,
});

const container = (frame: Frame, end: number): JsonNode => ({
  kind: frame.object ? "object" : "array",
  start: frame.start,
  end,
  escaped: false,
  height: frame.height + 1,
  members: frame.members,
  items: frame.items,
});

function hasName({ members, names }: Frame, name: string): boolean {
  if (members === null) return names?.includes(name) === true;
  for (const member of members) if (member.name === name) return true;
  return false;
}

const namesIn = ({ members, names }: Frame): readonly string[] =>
  members?.map((member) => member.name) ?? names ?? [];

/** Hands a value to the object or array around it; `node` is null where only its height counts. */
function attach(frame: Frame, node: JsonNode | null, height: number): void {
  if (height > frame.height) frame.height = height;
  if (node === null) return;
  if (frame.items !== null) frame.items.push(node);
  else if (frame.members !== null)
    frame.members.push({
      name: frame.name,
      nameStart: frame.nameStart,
      nameEscaped: frame.nameEscaped,
      value: node,
    });
}

/** Whether nothing but blanks follows. */
function atEnd(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++)
    if (!" \n\r\t".includes(text.charAt(i))) return false;
  return true;
}

/** The value of a member, or null. */
export function memberOf(node: JsonNode | null, name: string): JsonNode | null {
  const members = node?.members ?? [];
  for (const member of members) if (member.name === name) return member.value;
  return null;
}

/** The text of a string node with its escapes decoded, or null when it is no string. */
export function stringOf(text: string, node: JsonNode | null): string | null {
  if (node?.kind !== "string") return null;
  return node.escaped
    ? (JSON.parse(text.slice(node.start, node.end)) as string)
    : text.slice(node.start + 1, node.end - 1);
}

/** The place of a character from an offset on, or the end of the text. */
function indexFrom(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from);
  return at < 0 ? text.length : at;
}

/** Whether no control character stands between two offsets. */
function isPrintable(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) < 0x20) return false;
  return true;
}
