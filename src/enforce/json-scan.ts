// Reads JSON text strictly (RFC 8259, nothing more) in one pass and keeps places instead of values: what is judged can
// then be passed on as it stands, numbers untouched, and a part is taken out by cutting the text. Refuses what two
// parsers could read differently: a member name that stands twice (after its escapes), a number that overflows.
// The pass keeps its own stack, so that depth costs no call stack.
import {
  QUOTE,
  readScalar,
  readString,
  skipBlanks,
  startScan,
  type Scan,
  type ScanProblem,
} from "./json-tokens.ts";

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

interface ScanLimits {
  /** Levels of objects and arrays that are allowed. */
  readonly depth: number;
  /** Members that one object may have. */
  readonly members: number;
  /** Levels whose members and items are kept; below them only the place of a value is known. */
  readonly keep: number;
  /** Values that may be kept, so that a long list of nothing cannot fill the memory. */
  readonly nodes: number;
}

type ScanResult =
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

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

export function scanJson(text: string, limits: ScanLimits): ScanResult {
  const scan = startScan(text);
  const root = readValue(scan, limits);
  return root === null
    ? { problem: scan.problem ?? "syntax", at: scan.at }
    : { root, loneSurrogate: scan.anyLone };
}

/** Reads the whole text; null for one that is not accepted. */
function readValue(scan: Scan, limits: ScanLimits): JsonNode | null {
  const { text } = scan;
  let kept = 0;
  const frames: Frame[] = [];
  let top: Frame | null = null;
  skipBlanks(scan);
  for (;;) {
    const c = text.charCodeAt(scan.at);
    let node: JsonNode | null = null;
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (frames.length >= limits.depth) return refuse(scan, "depth");
      top = openFrame(c === OPEN_OBJECT, scan.at, frames.length < limits.keep);
      frames.push(top);
      scan.at++;
      skipBlanks(scan);
      const next = text.charCodeAt(scan.at);
      if (next !== (top.object ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (top.object && !readName(scan, top, limits)) return null;
        continue;
      }
    } else {
      const from = scan.at;
      const kind = readScalar(scan, c);
      if (kind === null) return null;
      // Below the levels that are kept nobody looks at a scalar.
      if (top === null || top.members !== null || top.items !== null)
        node = scalar(kind, from, scan.at, kind === "string" && scan.escaped);
      if (top === null) return atEnd(text, scan.at) ? node : null;
      if (node !== null && ++kept > limits.nodes)
        return refuse(scan, "members");
      attach(top, node, 0);
      skipBlanks(scan);
    }
    // A value has ended, or an empty object or array waits for its bracket.
    for (;;) {
      const frame: Frame = top;
      const next = text.charCodeAt(scan.at);
      if (next === COMMA) {
        scan.at++;
        skipBlanks(scan);
        if (frame.object && !readName(scan, frame, limits)) return null;
        break;
      }
      if (next !== (frame.object ? CLOSE_OBJECT : CLOSE_ARRAY)) return null;
      scan.at++;
      frames.pop();
      const parent = frames.at(-1) ?? null;
      const keep =
        parent === null || parent.members !== null || parent.items !== null;
      if (keep && ++kept > limits.nodes) return refuse(scan, "members");
      const closed = keep ? container(frame, scan.at) : null;
      if (parent === null) return atEnd(text, scan.at) ? closed : null;
      attach(parent, closed, frame.height + 1);
      top = parent;
      skipBlanks(scan);
    }
  }
}

function refuse(scan: Scan, problem: ScanProblem): null {
  scan.problem = problem;
  return null;
}

/** Reads a member's name and the colon, up to its value. */
function readName(scan: Scan, frame: Frame, limits: ScanLimits): boolean {
  const { text } = scan;
  const from = scan.at;
  if (text.charCodeAt(from) !== QUOTE || !readString(scan)) return false;
  const name = scan.escaped
    ? (JSON.parse(text.slice(from, scan.at)) as string)
    : text.slice(from + 1, scan.at - 1);
  const problem = scan.lone ? "surrogate" : addName(frame, name, limits);
  if (problem !== null) {
    scan.problem = problem;
    return false;
  }
  frame.nameStart = from;
  frame.nameEscaped = scan.escaped;
  skipBlanks(scan);
  if (text.charCodeAt(scan.at) !== 0x3a) return false;
  scan.at++;
  skipBlanks(scan);
  return true;
}

/** Makes a name the one whose value comes next. */
function addName(
  frame: Frame,
  name: string,
  limits: ScanLimits,
): ScanProblem | null {
  if (++frame.count > limits.members) return "members";
  if (frame.seen === null && frame.count > FEW)
    frame.seen = new Set(namesIn(frame));
  if (frame.seen === null ? hasName(frame, name) : frame.seen.has(name))
    return "duplicate";
  if (frame.seen !== null) frame.seen.add(name);
  else if (frame.members === null) (frame.names ??= []).push(name);
  frame.name = name;
  return null;
}

const openFrame = (object: boolean, start: number, keep: boolean): Frame => ({
  object,
  start,
  height: 0,
  count: 0,
  names: null,
  seen: null,
  members: object && keep ? [] : null,
  items: !object && keep ? [] : null,
  name: "",
  nameStart: 0,
  nameEscaped: false,
});

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
