// D-Bus messages, as far as one method call and its answer need them (D-Bus specification 0.43, "Message Protocol").
// Bytes in, bytes out; the connection is `bus.ts`.

export interface MethodCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** The one argument that calls of ours have: a dictionary of strings. */
  readonly argument: Readonly<Record<string, string>> | null;
}

export interface Answer {
  readonly replySerial: number | null;
  /** 2: a method's return. 3: an error. */
  readonly type: number;
  readonly errorName: string | null;
  readonly body: Buffer;
  readonly littleEndian: boolean;
}

const METHOD_CALL = 1;
const FIELD = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  signature: 8,
} as const;

/** Bytes that know their alignment: every value starts at a multiple of its own size. */
function writer() {
  const chunks: Buffer[] = [];
  let length = 0;
  const bytes = (b: Buffer) => {
    chunks.push(b);
    length += b.length;
  };
  const pad = (size: number) =>
    bytes(Buffer.alloc((size - (length % size)) % size));
  const uint32 = (value: number) => {
    pad(4);
    const b = Buffer.alloc(4);
    b.writeUInt32LE(value);
    bytes(b);
  };
  return {
    bytes,
    pad,
    uint32,
    string(text: string) {
      const b = Buffer.from(text, "utf8");
      uint32(b.length);
      bytes(b);
      bytes(Buffer.alloc(1));
    },
    signature(text: string) {
      bytes(Buffer.from([text.length, ...Buffer.from(text, "ascii"), 0]));
    },
    done: () => Buffer.concat(chunks),
  };
}

/** An array's length counts neither itself nor the padding before its first element. */
function structs(
  count: number,
  write: (w: ReturnType<typeof writer>, i: number) => void,
): Buffer {
  const w = writer();
  for (let i = 0; i < count; i++) {
    w.pad(8);
    write(w, i);
  }
  return w.done();
}

export function encodeCall(serial: number, call: MethodCall): Buffer {
  const fields: [number, string, string][] = [
    [FIELD.path, "o", call.path],
    [FIELD.destination, "s", call.destination],
    [FIELD.interface, "s", call.interface],
    [FIELD.member, "s", call.member],
  ];
  if (call.argument !== null) fields.push([FIELD.signature, "g", "a{ss}"]);
  const header = structs(fields.length, (w, i) => {
    const [code, type, value] = fields[i] ?? [0, "s", ""];
    w.bytes(Buffer.from([code]));
    w.signature(type);
    if (type === "g") w.signature(value);
    else w.string(value);
  });
  const body =
    call.argument === null ? Buffer.alloc(0) : encodeDictionary(call.argument);
  const w = writer();
  w.bytes(Buffer.from(["l".charCodeAt(0), METHOD_CALL, 0, 1]));
  w.uint32(body.length);
  w.uint32(serial);
  w.uint32(header.length);
  w.bytes(header);
  w.pad(8);
  w.bytes(body);
  return w.done();
}

function encodeDictionary(entries: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(entries);
  const elements = structs(pairs.length, (w, i) => {
    for (const text of pairs[i] ?? []) w.string(text);
  });
  const w = writer();
  w.uint32(elements.length);
  w.pad(8);
  w.bytes(elements);
  return w.done();
}

const FIXED_HEADER = 16;
/** More than any answer we ask for. */
const LARGEST = 1 << 20;

/** Takes the first whole message off the bytes. Null while it is not whole; throws on what is no message. */
export function decodeMessage(
  bytes: Buffer,
): { readonly answer: Answer; readonly length: number } | null {
  if (bytes.length < FIXED_HEADER) return null;
  const littleEndian = bytes[0] === "l".charCodeAt(0);
  const read = (at: number) => readUint32(bytes, at, littleEndian);
  const fieldsEnd = FIXED_HEADER + read(12);
  const start = align(fieldsEnd, 8);
  const length = start + read(4);
  if (length > LARGEST) throw new Error("a message of the bus is too long");
  if (bytes.length < length) return null;
  let replySerial: number | null = null;
  let errorName: string | null = null;
  for (let at = FIXED_HEADER; at < fieldsEnd;) {
    at = align(at, 8);
    const code = bytes[at];
    // Header fields are of one basic type each: string, object path, signature or number.
    const type = String.fromCharCode(bytes[at + 2] ?? 0);
    at += 4;
    if (type === "g") {
      at += 2 + (bytes[at] ?? 0);
      continue;
    }
    at = align(at, 4);
    const value = read(at);
    if (type === "u") {
      if (code === FIELD.replySerial) replySerial = value;
      at += 4;
      continue;
    }
    if (type !== "s" && type !== "o")
      throw new Error("an unknown header field");
    if (code === FIELD.errorName)
      errorName = bytes.toString("utf8", at + 4, at + 4 + value);
    at += 4 + value + 1;
  }
  const body = bytes.subarray(start, length);
  const answer = {
    replySerial,
    type: bytes[1] ?? 0,
    errorName,
    body,
    littleEndian,
  };
  return { answer, length };
}

export const readUint32 = (
  bytes: Buffer,
  at: number,
  littleEndian: boolean,
): number => (littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));

export const align = (at: number, size: number): number =>
  Math.ceil(at / size) * size;
