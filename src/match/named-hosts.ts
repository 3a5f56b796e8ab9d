// The hosts that a text names, in every spelling that a program may read: URLs of any scheme, `//host`, `host:port`,
// `user@host:path`, addresses in decimal, octal or hexadecimal, other scripts' dots, percent signs. Pure, linear time.
import { addressBytes, sameAddress } from "./address.ts";

interface NamedHost {
  /** One spelling for all that mean the same; null when it cannot be read. */
  readonly host: string | null;
  /** Null when nothing says which: a bare name. -1 for one that is not known. */
  readonly port: number | null;
}

const PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ftps: 990,
  sftp: 22,
  ssh: 22,
  git: 9418,
  telnet: 23,
  redis: 6379,
  rediss: 6379,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mongodb: 27017,
  ldap: 389,
  ldaps: 636,
  smtp: 25,
};

/** Schemes whose host programs find with any number of slashes of either kind, or none. */
const SPECIAL = /^(?:https?|wss?|ftp)$/;
/** Schemes that name no host. */
const LOCAL = /^(?:file|data|about|javascript|blob|urn|mailto|tel)$/;
const LONGEST_SCHEME = 32;
/** User, host and port together; a longer one is none that is allowed. */
const LONGEST_AUTHORITY = 512;

/** Where words of a text end. */
const WORDS = /[^\s"'`<>,;|]+/g;
/** A URL that was put into percent signs as a whole. */
const HIDDEN_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,31}%(?:25){0,8}3a/i;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,31}:/;

/** One spelling of a host as it stands in a URL or alone, or null when it is none. */
export function hostOf(text: string): string | null {
  let host = text.replace(/^\[([^\]]*)\]$/, "$1");
  if (addressBytes(host)?.length === 16) return sameAddress(host);
  // A zone names an interface of this machine, not another host.
  host = host.replace(/%25.*$|%[A-Za-z0-9]+$/, (zone) =>
    host.includes(":") ? "" : zone,
  );
  try {
    const bracketed = host.includes(":") ? `[${host}]` : host;
    const { hostname } = new URL(`http://${bracketed}`);
    return sameAddress(hostname.replace(/^\[|\]$/g, "").replace(/\.$/, ""));
  } catch {
    return null;
  }
}

/** Every host that a text names. */
export function namedHosts(text: string): readonly NamedHost[] {
  const out = [...wholeUrl(text)];
  const words = text.match(WORDS) ?? [];
  for (const word of words)
    for (const each of urlsIn(HIDDEN_SCHEME.test(word) ? decode(word) : word))
      out.push(each);
  // A name without a scheme is one only where nothing but names stands: in a sentence it may be a file or a word.
  const bare = words.map((word) => bareHost(word));
  if (bare.every((host) => host !== null))
    for (const host of bare) if (host !== "url") out.push(host);
  return out;
}

/** Of a text that is one URL to some program, with blanks and quotes in it that others would end it at. */
function wholeUrl(text: string): readonly NamedHost[] {
  // Browsers leave these out wherever they stand.
  const url = text.trim().replace(/[\t\r\n]/g, "");
  const scheme = SCHEME.exec(url)?.[0] ?? "";
  // One letter is a drive.
  if (scheme.length < 3 || LOCAL.test(scheme.slice(0, -1).toLowerCase()))
    return [];
  const rest = url.slice(scheme.length).replace(/^[\\/]+/, "");
  const region = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  if (region.includes("@") || region.includes("\\"))
    return region.lastIndexOf("@") > region.search(/\s/) &&
      /\s/.test(region) &&
      !URL.canParse(url)
      ? []
      : [hostAndPort(region, null)];
  if (!URL.canParse(url)) return [];
  const { hostname } = new URL(url);
  return hostname === "" ? [] : [{ host: hostOf(hostname), port: null }];
}

/** The hosts of `scheme:…` and `//…` in a word. */
function urlsIn(word: string): readonly NamedHost[] {
  const out: NamedHost[] = [];
  if (/^[\\/]{2}/.test(word)) out.push(hostAndPort(word.slice(2), null));
  for (let at = word.indexOf(":"); at >= 0; at = word.indexOf(":", at + 1)) {
    const scheme =
      /[A-Za-z][A-Za-z0-9+.-]*$/
        .exec(word.slice(Math.max(0, at - LONGEST_SCHEME), at))?.[0]
        .toLowerCase() ?? "";
    if (scheme === "" || LOCAL.test(scheme)) continue;
    const name = scheme.split(/[+.-]/).findLast((s) => s !== "") ?? scheme;
    const rest = word.slice(at + 1);
    const special = SPECIAL.test(name);
    const slashes = /^[\\/]*/.exec(rest)?.[0].length ?? 0;
    // `http:host` is one to a browser, and `http:80` a host and a port.
    if (slashes < 2 && !(special && !/^\d{1,5}(?:$|[/?#])/.test(rest)))
      continue;
    if (rest.length === slashes) continue;
    // `scheme:///path` names no host, unless the scheme has one in any case.
    if (!special && slashes > 2) continue;
    out.push(hostAndPort(rest.slice(slashes), PORTS[name] ?? -1));
  }
  return out;
}

/** Of `user@host:port/path?query`. */
function hostAndPort(text: string, standard: number | null): NamedHost {
  // Programs differ in where the authority ends and which `@` counts: what they could not agree on is no host.
  const long = /^[^/?#]*/.exec(text.slice(0, LONGEST_AUTHORITY))?.[0] ?? "";
  if (long.length === LONGEST_AUTHORITY) return { host: null, port: standard };
  const slash = long.indexOf("\\");
  // To a browser the host of `a\@b` is `a`, to others it is `b`.
  if (slash >= 0 && long.includes("@")) return { host: null, port: standard };
  const authority = slash < 0 ? long : long.slice(0, slash);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const decoded = decode(host);
  const split = /^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/.exec(decoded);
  if (split === null || /[@/\\?#\s]/.test(decoded))
    return { host: null, port: standard };
  const port =
    split[2] === undefined || split[2] === "" ? standard : Number(split[2]);
  return { host: hostOf(split[1] ?? ""), port };
}

/** A word that is a host alone; "url" for one that `urlsIn` has read, null for any other word. */
function bareHost(word: string): NamedHost | "url" | null {
  if (urlsIn(word).length > 0) return "url";
  const text = decode(word.slice(0, LONGEST_AUTHORITY))
    .normalize("NFKC")
    .replaceAll("\u3002", ".");
  if (addressBytes(text) !== null) return { host: hostOf(text), port: null };
  const [, user = "", name = "", rest = ""] =
    /^([^@/\\]*@)?(\[[0-9A-Fa-f:.%]*\]|[^:/\\?#@[\]]+)(.*)$/s.exec(text) ?? [];
  if (name === "" || (rest !== "" && !/^[:/?#]/.test(rest))) return null;
  const port = /^:(\d{1,5})(?:[/?#]|$)/.exec(rest)?.[1] ?? null;
  const found = {
    host: hostOf(name),
    port: port === null ? null : Number(port),
  };
  if (name.startsWith("[")) return found;
  const named =
    /^(?:[\p{L}\p{N}_-]+\.)+(?:[\p{L}]{2,}|xn--[a-z0-9-]+)\.?$/iu.test(name) ||
    /^localhost\.?$/i.test(name) ||
    isNumber(name);
  if (named) return found;
  // A single word is a host where a port, a user or a remote path says so.
  return (port !== null || (user !== "" && rest.startsWith(":"))) &&
    /^[\p{L}\p{N}._-]+$/u.test(name) &&
    !/^\d+$/.test(name)
    ? found
    : null;
}

/** An IPv4 address in the spellings that old programs read: `127.1`, `0x7f000001`, `017700000001`, `2130706433`. */
function isNumber(name: string): boolean {
  if (!/^(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+)){0,3}\.?$/i.test(name))
    return false;
  // A short number is rather a count.
  if (/^\d+$/.test(name) && !/^0\d/.test(name) && Number(name) < 2 ** 24)
    return false;
  const host = hostOf(name);
  return host !== null && addressBytes(host) !== null;
}

const MOST_ROUNDS = 8;

/** Percent forms taken apart, however often they were put on; bytes that are no text stay. */
function decode(text: string): string {
  let out = text;
  for (let i = 0; i < MOST_ROUNDS && out.includes("%"); i++)
    try {
      const next = decodeURIComponent(out);
      if (next === out) break;
      out = next;
    } catch {
      break;
    }
  return out;
}

/** A rule in the one spelling of its host. */
export const hostRule = (rule: string): string =>
  rule.startsWith("*.")
    ? `*.${hostOf(rule.slice(2)) ?? ""}`
    : (hostOf(rule) ?? "");

/** Whether such a rule (`api.example.com`, `*.example.com`, an address) means a host in its one spelling. */
export const hostMatches = (rule: string, host: string): boolean =>
  rule.startsWith("*.")
    ? host.endsWith(rule.slice(1)) && host.length > rule.length - 1
    : rule === host;
