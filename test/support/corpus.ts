// The corpus of calls in `test/laws/calls`: each file has the rules of one server and, by the answer that is right, what
// is asked. Here its short forms become whole messages.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "./source-imports.ts";

const FOLDER = join(ROOT, "test/laws/calls");

export interface Corpus {
  readonly name: string;
  /** The server's own keys. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Keys of the file beside `mcp`. */
  readonly common: Readonly<Record<string, unknown>>;
  /** Files of the project folder. */
  readonly files: readonly string[];
  readonly asked: readonly Asked[];
}

export interface Asked {
  /** "allowed", "dropped", the rule that refuses, or the code of an error. */
  readonly answer: string;
  readonly title: string;
  /** `ID` stands where an id is put in. */
  readonly message: Buffer;
  /** Only for a plain call of a tool. */
  readonly call: { readonly tool: string; readonly args: object } | null;
}

interface Group {
  readonly answer: string;
  /** Names of tools that are called without arguments. */
  readonly tools?: readonly string[];
  /** Values for an argument of a tool, and where in the arguments they stand. */
  readonly tool?: string;
  readonly as?: readonly (keyof typeof PLACES)[];
  readonly values?: readonly string[];
  /** Whole messages as text. */
  readonly messages?: readonly string[];
  /** Sizes of messages. */
  readonly bytes?: readonly number[];
}

const PLACES = {
  value: (value: string) => ({ path: value }),
  list: (value: string) => ({ paths: ["x", value] }),
  deep: (value: string) => ({ a: { b: [{ c: value }] } }),
  key: (value: string) => ({ [value]: true }),
};

/** @param places   what `{project}` and the like stand for, given the name of the corpus */
export const readCorpora = (
  places: (name: string) => Readonly<Record<string, string>>,
): readonly Corpus[] =>
  readdirSync(FOLDER).map((file) => {
    const name = basename(file, ".yaml");
    const filled = readFileSync(join(FOLDER, file), "utf8").replace(
      /\{(project|home|outside)\}/g,
      (_, place: string) => places(name)[place] ?? "",
    );
    const read = parse(filled) as Partial<Corpus> & {
      readonly calls: readonly Group[];
    };
    return {
      name,
      rules: read.rules ?? {},
      common: read.common ?? {},
      files: read.files ?? [],
      asked: read.calls.flatMap(askedIn),
    };
  });

function askedIn(group: Group): readonly Asked[] {
  const { answer } = group;
  return [
    ...(group.tools ?? []).map((tool) => callOf(answer, tool, {})),
    ...(group.as ?? []).flatMap((place) =>
      (group.values ?? []).map((value) =>
        callOf(answer, group.tool ?? "", PLACES[place](value)),
      ),
    ),
    ...(group.messages ?? []).map((text) => ({
      answer,
      title: text,
      message: bytesOf(text),
      call: null,
    })),
    ...(group.bytes ?? []).map((size) => ({
      answer,
      title: `${size} bytes`,
      message: messageOf(size),
      call: null,
    })),
  ];
}

function callOf(answer: string, tool: string, args: object): Asked {
  const title = `${JSON.stringify(tool)} ${JSON.stringify(args)}`;
  return { answer, title, message: textOf(tool, args), call: { tool, args } };
}

const textOf = (name: string, args: object): Buffer =>
  Buffer.from(
    `{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":${JSON.stringify({ name, arguments: args })}}`,
  );

/** `BYTE(ff)` is that byte. */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/BYTE\(([0-9a-f]{2})\)/)
      .map((part, i) => Buffer.from(part, i % 2 === 1 ? "hex" : "utf8")),
  );

/** So large once `ID` is an id of `ID_LENGTH`. */
function messageOf(size: number): Buffer {
  const empty = textOf("read_file", { text: "" }).length - 2 + ID_LENGTH;
  return textOf("read_file", { text: "x".repeat(size - empty) });
}

const ID_LENGTH = 6;

/** The message with an id that no other has. */
export const withId = (message: Buffer, count: number): Buffer =>
  Buffer.from(
    message
      .toString("latin1")
      .replaceAll("ID", String(count + 10 ** (ID_LENGTH - 1))),
    "latin1",
  );
