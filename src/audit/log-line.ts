// A row of the log as a person reads it: `13:33:48  allowed  POST mcp.deepwiki.com/mcp tools/call read_wiki_structure`.
import type { LogRow } from "./log-row.ts";

const VERDICT = { allow: "allowed", ask: "asked", deny: "denied" } as const;
const WIDTH = 7;

/** One line without its end. What was refused says why. Nothing in it can move a cursor or hide a character. */
export function logLine(row: LogRow): string {
  // No call was judged: the rules themselves are what this is about.
  if (row.rule === "reload")
    return visible(
      `${clock(row.time)}  ${"rules".padEnd(WIDTH)}  ${row.reason}`,
    );
  if (isWords(row))
    return visible(
      `${clock(row.time)}  ${"server".padEnd(WIDTH)}  ${row.server}  ${row.reason}`,
    );
  const what = [
    row.http ?? row.server,
    ...[row.method, row.tool].filter((part) => part !== null && part !== ""),
  ].join(" ");
  const why = row.effect === "allow" ? "" : `  ${row.rule}: ${row.reason}`;
  return visible(
    `${clock(row.time)}  ${VERDICT[row.effect].padEnd(WIDTH)}  ${what}${why}`,
  );
}

/** What a server said beside the protocol: no call either. */
const isWords = ({ rule, method }: LogRow): boolean =>
  method === null && (rule === "noise" || rule === "stderr");

/** The time of day where the person is. */
function clock(time: string): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return Number.isNaN(date.getTime())
    ? "--:--:--"
    : [date.getHours(), date.getMinutes(), date.getSeconds()]
        .map(two)
        .join(":");
}

/** The file may have been written to by anybody: what steers a terminal is shown as its code. */
const visible = (text: string): string =>
  text
    .toWellFormed()
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
      (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
    );

interface LogFilter {
  readonly denied: boolean;
  /** Only this server's; null for all. */
  readonly server: string | null;
}

export const isWanted = (row: LogRow, { denied, server }: LogFilter): boolean =>
  (!denied || (row.effect !== "allow" && !isWords(row))) &&
  (server === null || row.server === server);
