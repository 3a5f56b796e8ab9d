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
export type RowHead = Pick<LogRow, "time" | "run" | "agent" | "ms">;

/** The line, ended. The order of the members is that of the published schema. */
export const printRow = (record: CallRecord, head: RowHead): string =>
  // Each member by name: spreading the record would cost more than writing the line.
  `${JSON.stringify({
    formatVersion: LOG_FORMAT_VERSION,
    time: head.time,
    run: head.run,
    agent: head.agent,
    server: record.server,
    effect: record.effect,
    http: record.http,
    method: record.method,
    tool: record.tool,
    arguments: record.arguments,
    reason: record.reason,
    rule: record.rule,
    bytes: record.bytes,
    ms: head.ms,
  })}\n`;

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
