// Addresses of servers behind a Unix socket or a named pipe of this machine: `unix:/abs.sock#/path`,
// `pipe:///\\.\pipe\NAME#/path`. The path of the requests stands where other URLs have a fragment. Pure.
import {
  parseServerUrl,
  type Socket,
  type UrlProblem,
  type UrlResult,
} from "./url.ts";

/** What a person may write under `url`: a URL, or the address of a socket. Everything else takes URLs only. */
export const parseConfiguredUrl = (text: string): UrlResult =>
  /^(?:unix|pipe):/i.test(text) ? parseSocketUrl(text) : parseServerUrl(text);

/** Linux takes no longer path of a socket; others take less and say so when it is used. */
const MOST_BYTES = 107;

const fail = (problem: string, kind: UrlProblem = "other"): UrlResult => ({
  problem,
  kind,
});

function parseSocketUrl(text: string): UrlResult {
  if (text.includes("${")) return fail("holds a reference", "reference");
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text))
    return fail("has a control character in it");
  const parts = /^(unix:|pipe:\/\/\/)([^#]*)(?:#(.*))?$/s.exec(text);
  if (parts === null)
    return fail(
      "must be written `unix:/ABSOLUTE.sock#/PATH`, or `pipe:///\\\\.\\pipe\\NAME#/PATH`",
    );
  const place = parts[2] ?? "";
  const path = parts[3] ?? "/";
  const socket = parts[1] === "unix:" ? unixSocket(place) : namedPipe(place);
  if (typeof socket === "string") return fail(socket);
  const seen = new URL(path, "http://localhost");
  if (!path.startsWith("/") || seen.pathname + seen.search !== path)
    return fail(
      `has an odd spelling of the path behind \`#\`; it means \`${seen.pathname + seen.search}\``,
    );
  return {
    value: {
      url: `${parts[1] ?? ""}${place}#${path}`,
      scheme: "http",
      host: "localhost",
      port: 80,
      path,
      loopback: true,
      socket,
    },
  };
}

function unixSocket(place: string): Socket | string {
  if (!place.startsWith("/")) return "must name the socket by an absolute path";
  if (/\/(?:\.{0,2})(?:\/|$)/.test(place))
    return "has an odd spelling of the socket's path";
  if (new TextEncoder().encode(place).length > MOST_BYTES)
    return `names a socket by more than ${MOST_BYTES} bytes`;
  return { kind: "unix", path: place };
}

function namedPipe(place: string): Socket | string {
  const parts = /^[\\/]{2}([^\\/]*)[\\/](.*)$/s.exec(place);
  if (parts === null) return "must name the pipe as `\\\\.\\pipe\\NAME`";
  if (parts[1] !== "." && parts[1] !== "?")
    return "names a pipe on another machine";
  return /^\\\\\.\\pipe\\[^\\/:*?"<>|]+$/.test(place)
    ? { kind: "pipe", path: place }
    : "must name the pipe as `\\\\.\\pipe\\NAME`";
}
