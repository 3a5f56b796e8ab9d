// One line of the log: what `enforce` says of a decision, with the time, the run, the agent and how long it took.
// `fenzi logs --json` prints these as they stand in the file.
import type { CallRecord } from "../enforce/record.ts";

const LOG_FORMAT_VERSION = 1;

export interface LogRow extends CallRecord {
  readonly formatVersion: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** Which gateway or guard wrote it. */
  readonly run: string;
  /** Null when it is not known. */
  readonly agent: string | null;
  /** Milliseconds from the arrival of the message to the decision. */
  readonly ms: number;
}

/** What the door knows beside the record. */
type RowHead = Pick<LogRow, "time" | "run" | "agent" | "ms">;

/** The line, ended. The order of the members is that of the published schema. */
export const printRow = (record: CallRecord, head: RowHead): string =>
  // Printed member by member: making an object for `JSON.stringify` costs more than the write of the line.
  `{"formatVersion":${LOG_FORMAT_VERSION}` +
  `,"time":${printed(head.time)}` +
  `,"run":${printed(head.run)}` +
  `,"agent":${printed(head.agent)}` +
  `,"server":${printed(record.server)}` +
  `,"effect":${printed(record.effect)}` +
  `,"http":${printed(record.http)}` +
  `,"method":${printed(record.method)}` +
  `,"tool":${printed(record.tool)}` +
  `,"arguments":[${record.arguments.map(printed).join(",")}]` +
  `,"reason":${printed(record.reason)}` +
  `,"rule":${printed(record.rule)}` +
  `,"bytes":${number(record.bytes)}` +
  `,"ms":${number(head.ms)}}\n`;

/** Nothing in it that JSON spells with an escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

const printed = (text: string | null): string =>
  text === null
    ? "null"
    : PLAIN.test(text)
      ? `"${text}"`
      : JSON.stringify(text);

/** A file that somebody wrote to may hold a number that is none. */
const number = (value: number): string =>
  Number.isFinite(value) ? `${value}` : "null";

/** How every line begins; inside a JSON string the quotes would be escaped. */
const BEGIN = '{"formatVersion":';

/**
 * Reads a line, or null when it is none of ours. A line that a crash cut short may stand before a whole one.
 */
export function parseRow(line: string): LogRow | null {
  const row = parsed(line);
  if (row !== null) return row;
  const last = line.lastIndexOf(BEGIN);
  return last > 0 ? parsed(line.slice(last)) : null;
}

function parsed(text: string): LogRow | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRow(value) ? value : null;
  } catch {
    return null;
  }
}

const isRow = (value: unknown): value is LogRow => {
  if (typeof value !== "object" || value === null) return false;
  const row = value as Readonly<Record<string, unknown>>;
  const isText = (name: string) => typeof row[name] === "string";
  const isTextOrNull = (name: string) => row[name] === null || isText(name);
  return (
    row["formatVersion"] === LOG_FORMAT_VERSION &&
    ["time", "run", "server", "reason", "rule"].every(isText) &&
    ["allow", "ask", "deny"].includes(String(row["effect"])) &&
    ["agent", "http", "method", "tool"].every(isTextOrNull) &&
    ["bytes", "ms"].every((name) => typeof row[name] === "number") &&
    Array.isArray(row["arguments"]) &&
    row["arguments"].every((name) => typeof name === "string")
  );
};
