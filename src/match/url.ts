// The URL of a server: one spelling for all agents, nothing in it that two programs could read differently. Pure.
import { addressBytes, hostKind, sameAddress } from "./address.ts";

export interface ServerUrl {
  /** WHATWG serialisation. */
  readonly url: string;
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  readonly loopback: boolean;
  /** What is connected to instead of host and port; always null for a URL in the strict sense. */
  readonly socket: Socket | null;
}

/** A Unix socket by its absolute path, or a named pipe of this machine. */
export interface Socket {
  readonly kind: "unix" | "pipe";
  readonly path: string;
}

export type UrlResult =
  | { readonly value: ServerUrl }
  | { readonly problem: string; readonly kind: UrlProblem };

/** What an importer has to tell apart. */
export type UrlProblem = "plain-http" | "reference" | "fragment" | "other";

const fail = (problem: string, kind: UrlProblem = "other"): UrlResult => ({
  problem,
  kind,
});

/**
 * Reads a server's URL. It must equal its WHATWG serialisation but for the case of scheme and host, IDN, a default
 * port and an empty path.
 */
export function parseServerUrl(text: string): UrlResult {
  if (text.includes("${")) return fail("holds a reference", "reference");
  const parts =
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(
      text,
    );
  if (parts === null)
    return fail("must start with `https://`, or `http://` for this machine");
  const scheme = (parts[1] ?? "").toLowerCase();
  const authority = parts[2] ?? "";
  const path = parts[3] ?? "";
  const query = parts[4] ?? "";
  if (scheme !== "http" && scheme !== "https")
    return fail(
      `has the scheme \`${scheme}\`; only \`https\` is allowed, and \`http\` to this machine`,
    );
  if (parts[5] !== undefined) return fail("has a fragment (`#…`)", "fragment");
  if (authority.includes("@")) return fail("has a user or password in it");
  if (/[\\\u0000-\u0020\u007f]/.test(text))
    return fail("has a blank, a control character or a backslash in it");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return fail("is not a valid URL");
  }
  const split = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority);
  const host = split?.[1] ?? "";
  const port = split?.[2];
  const standard = scheme === "https" ? "443" : "80";
  if (port !== undefined) {
    if (port === "0") return fail("has the port 0");
    if (port !== (url.port || standard))
      return fail("has an odd spelling of its port");
  }
  if (url.hostname.endsWith("."))
    return fail("has a host that ends with a dot");
  if (!sameHost(host, url.hostname))
    return fail(
      `has an odd spelling of its host; it means \`${url.hostname}\``,
    );
  if (path !== url.pathname && !(path === "" && url.pathname === "/"))
    return fail(
      `has an odd spelling of its path; it means \`${url.pathname}\``,
    );
  if (query !== url.search) return fail("has an odd spelling of its query");
  const bare = url.hostname.replace(/^\[|\]$/g, "");
  const kind = hostKind(bare);
  if (kind === "unspecified" || kind === "link-local" || kind === "multicast")
    return fail(`names ${kind === "unspecified" ? "an" : "a"} ${kind} address`);
  if (kind === "metadata") return fail("names a cloud's metadata address");
  if (scheme === "http" && kind !== "loopback")
    return fail(
      "must be `https`: only a server on this machine may be reached without it",
      "plain-http",
    );
  return {
    value: {
      url: url.href,
      scheme,
      host: bare,
      port: Number(url.port || standard),
      path: url.pathname + url.search,
      loopback: kind === "loopback",
      socket: null,
    },
  };
}

/** Equal but for case, or an internationalised name and its ASCII form, label by label. */
function sameHost(written: string, serialised: string): boolean {
  if (written.toLowerCase() === serialised) return true;
  if (addressBytes(serialised.replace(/^\[|\]$/g, "")) !== null) return false;
  const a = written.split(".");
  const b = serialised.split(".");
  return (
    a.length === b.length &&
    a.every((label, i) =>
      // eslint-disable-next-line no-control-regex
      /^[\x00-\x7f]*$/.test(label)
        ? label.toLowerCase() === b[i]
        : (b[i] ?? "").startsWith("xn--"),
    )
  );
}

/** The form in which "one host and port" is compared: all spellings of one address are one host, and so is this machine. */
export const hostKey = ({
  host,
  port,
  loopback,
  socket,
}: Pick<ServerUrl, "host" | "port" | "loopback" | "socket">): string =>
  socket === null
    ? `${loopback ? "loopback" : sameAddress(host)}:${port}`
    : // Names of pipes have no case.
      `${socket.kind}:${socket.kind === "pipe" ? socket.path.toLowerCase() : socket.path}`;
