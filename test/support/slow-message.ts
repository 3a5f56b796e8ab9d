// A second reading of a client's message, slow and obvious: character by character, values built, every rule a line.
// The fuzz tests compare it with `readMessage`. It shares no code with it.

export interface SlowMessage {
  readonly kind: "request" | "notification" | "response";
  readonly id: string | null;
  readonly method: string | null;
  readonly toolName: string | null;
  readonly argumentNames: readonly string[];
  readonly loneSurrogate: boolean;
}

type Json =
  | { readonly is: "object"; readonly members: readonly [string, Json][] }
  | { readonly is: "array"; readonly items: readonly Json[] }
  | { readonly is: "string"; readonly text: string }
  | { readonly is: "number"; readonly source: string }
  | { readonly is: "true" | "false" | "null" };

class Refused extends Error {}
const refuse = (why: string): never => {
  throw new Refused(why);
};

/** The message, or null when it is refused. */
export function slowMessage(bytes: Uint8Array): SlowMessage | null {
  try {
    return message(bytes);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

function message(bytes: Uint8Array): SlowMessage {
  if (bytes.length > 4_194_304) refuse("too large");
  const text = Buffer.from(bytes).toString("utf8");
  if (!Buffer.from(text, "utf8").equals(Buffer.from(bytes)))
    refuse("not UTF-8");
  const reader = { text, at: 0, lone: false };
  blanks(reader);
  const top = value(reader, 1);
  blanks(reader);
  if (reader.at !== text.length) refuse("something follows");
  if (top.is !== "object") return refuse("no object");
  const allowed = ["jsonrpc", "id", "method", "params", "result", "error"];
  for (const [name] of top.members)
    if (!allowed.includes(name)) refuse("unknown member");
  if (stringIn(top, "jsonrpc") !== "2.0") refuse("version");
  const idValue = member(top, "id");
  const id = idValue === null ? null : idText(idValue);
  const method = member(top, "method");
  const params = member(top, "params");
  const hasResult = member(top, "result") !== null;
  const hasError = member(top, "error") !== null;
  if (method === null) {
    if (params !== null) refuse("params without method");
    if (id === null) refuse("answer without id");
    if (hasResult === hasError) refuse("not exactly one of result and error");
    return {
      kind: "response",
      id,
      method: null,
      toolName: null,
      argumentNames: [],
      loneSurrogate: reader.lone,
    };
  }
  if (hasResult || hasError) refuse("request and answer");
  if (method.is !== "string") return refuse("method");
  if (params !== null) {
    if (params.is !== "object") return refuse("params");
    for (const [name] of params.members) looksLike(name, PARAMS);
    const meta = member(params, "_meta");
    if (meta !== null) {
      if (meta.is !== "object") return refuse("_meta");
      for (const [name] of meta.members) looksLike(name, META);
    }
  }
  const args = params?.is === "object" ? member(params, "arguments") : null;
  return {
    kind: id === null ? "notification" : "request",
    id,
    method: method.text,
    toolName: params?.is === "object" ? stringIn(params, "name") : null,
    argumentNames:
      args?.is === "object" ? args.members.map(([name]) => name) : [],
    loneSurrogate: reader.lone,
  };
}

const PARAMS =
  "_meta arguments capabilities clientInfo cursor inputResponses name notifications progress progressToken protocolVersion reason requestId requestState task taskId uri".split(
    " ",
  );
const META = [
  "protocolVersion clientInfo clientCapabilities logLevel subscriptionId serverInfo"
    .split(" ")
    .map((name) => `io.modelcontextprotocol/${name}`),
  ["baggage", "progressToken", "traceparent", "tracestate"],
].flat();

/** Refuses a name that is not one of the known ones and turns into one when case and invisible characters go. */
function looksLike(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const form = (text: string) =>
    [...text.normalize("NFKC")]
      .filter(
        (c) => !/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}]/u.test(c),
      )
      .join("")
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .normalize("NFKC");
  if (known.some((k) => form(k) === form(name))) refuse("disguised");
}

function idText(id: Json): string {
  if (id.is === "string") {
    if (id.text.length > 256) refuse("long id");
    if (!id.text.isWellFormed()) refuse("id");
    return JSON.stringify(id.text);
  }
  if (id.is !== "number") return refuse("id");
  if (!/^-?\d+$/.test(id.source) || id.source === "-0") refuse("id");
  const number = BigInt(id.source);
  if (number > 9007199254740991n || number < -9007199254740991n) refuse("id");
  return id.source;
}

function member(object: Json, name: string): Json | null {
  if (object.is !== "object") return null;
  return object.members.find(([n]) => n === name)?.[1] ?? null;
}
function stringIn(object: Json, name: string): string | null {
  const found = member(object, name);
  return found?.is === "string" ? found.text : null;
}

interface Reader {
  readonly text: string;
  at: number;
  lone: boolean;
}

function blanks(r: Reader): void {
  while (/^[ \n\r\t]$/.test(r.text.charAt(r.at))) r.at++;
}

function take(r: Reader, char: string): void {
  if (r.text.charAt(r.at) !== char) refuse(`no ${char}`);
  r.at++;
}

function value(r: Reader, depth: number): Json {
  const c = r.text.charAt(r.at);
  if ((c === "{" || c === "[") && depth > 64) refuse("deep");
  if (c === "{") return object(r, depth);
  if (c === "[") return array(r, depth);
  if (c === '"') return { is: "string", text: string(r) };
  for (const word of ["true", "false", "null"] as const)
    if (r.text.slice(r.at, r.at + word.length) === word) {
      r.at += word.length;
      return { is: word };
    }
  return number(r);
}

function object(r: Reader, depth: number): Json {
  const members: [string, Json][] = [];
  const names = new Set<string>();
  take(r, "{");
  blanks(r);
  while (r.text.charAt(r.at) !== "}") {
    if (members.length > 0) {
      take(r, ",");
      blanks(r);
    }
    if (r.text.charAt(r.at) !== '"') refuse("no name");
    const name = string(r);
    if (!name.isWellFormed()) refuse("name");
    if (names.has(name)) refuse("twice");
    names.add(name);
    if (names.size > 10_000) refuse("members");
    blanks(r);
    take(r, ":");
    blanks(r);
    members.push([name, value(r, depth + 1)]);
    blanks(r);
  }
  take(r, "}");
  return { is: "object", members };
}

function array(r: Reader, depth: number): Json {
  const items: Json[] = [];
  take(r, "[");
  blanks(r);
  while (r.text.charAt(r.at) !== "]") {
    if (items.length > 0) {
      take(r, ",");
      blanks(r);
    }
    items.push(value(r, depth + 1));
    blanks(r);
  }
  take(r, "]");
  return { is: "array", items };
}

function string(r: Reader): string {
  let out = "";
  take(r, '"');
  for (;;) {
    const c = r.text.charAt(r.at);
    if (c === "") refuse("open string");
    r.at++;
    if (c === '"') break;
    if (c < " ") refuse("control");
    if (c !== "\\") {
      out += c;
      continue;
    }
    const e = r.text.charAt(r.at);
    r.at++;
    if (e === "u") {
      const digits = r.text.slice(r.at, r.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) refuse("escape");
      r.at += 4;
      out += String.fromCharCode(parseInt(digits, 16));
    } else {
      const plain: Record<string, string> = {
        '"': '"',
        "\\": "\\",
        "/": "/",
        b: "\b",
        f: "\f",
        n: "\n",
        r: "\r",
        t: "\t",
      };
      if (e === "" || !Object.hasOwn(plain, e)) refuse("escape");
      out += plain[e];
    }
  }
  if (!out.isWellFormed()) r.lone = true;
  return out;
}

function number(r: Reader): Json {
  const match = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/.exec(
    r.text.slice(r.at, r.at + 5_000),
  );
  if (match === null) return refuse("no value");
  if (!Number.isFinite(Number(match[0]))) refuse("infinite");
  r.at += match[0].length;
  return { is: "number", source: match[0] };
}
