// Kinds of IP addresses and hosts: what is this machine, and what a server's URL may never name. Pure.

/** The 16 bytes of an IPv6 address, or the 4 of an IPv4 one, as a URL's hostname spells it (no brackets). */
export function addressBytes(host: string): readonly number[] | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) {
    const bytes = host.split(".").map(Number);
    return bytes.every((b) => b <= 255) ? bytes : null;
  }
  if (!/^[0-9a-f:.]+$/i.test(host) || !host.includes(":")) return null;
  const halves = host.split("::");
  if (halves.length > 2) return null;
  const words = (half: string): number[] | null => {
    if (half === "") return [];
    const out: number[] = [];
    for (const part of half.split(":")) {
      if (part.includes(".")) {
        const four = addressBytes(part);
        if (four?.length !== 4) return null;
        out.push((four[0] ?? 0) * 256 + (four[1] ?? 0));
        out.push((four[2] ?? 0) * 256 + (four[3] ?? 0));
      } else if (/^[0-9a-f]{1,4}$/i.test(part)) out.push(parseInt(part, 16));
      else return null;
    }
    return out;
  };
  const left = words(halves[0] ?? "");
  const right = halves.length === 2 ? words(halves[1] ?? "") : [];
  if (left === null || right === null) return null;
  const gap = 8 - left.length - right.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return null;
  const all = [...left, ...Array.from({ length: gap }, () => 0), ...right];
  return all.flatMap((w) => [w >> 8, w & 255]);
}

/** The IPv4 address inside an IPv6 one (mapped, compatible, NAT64), or the bytes as they are. */
function unwrap(bytes: readonly number[]): readonly number[] {
  if (bytes.length !== 16) return bytes;
  const zeros = (from: number, to: number) =>
    bytes.slice(from, to).every((b) => b === 0);
  if (zeros(0, 10) && bytes[10] === 255 && bytes[11] === 255)
    return bytes.slice(12);
  if (zeros(0, 12) && !zeros(12, 15)) return bytes.slice(12);
  const nat64 = [0, 0x64, 0xff, 0x9b];
  if (nat64.every((b, i) => bytes[i] === b) && zeros(4, 12))
    return bytes.slice(12);
  return bytes;
}

/**
 * One spelling for all that reach the same place. Names below `localhost` are this machine (RFC 6761, 6.3) where they
 * would take what belongs to another; programs that ask a name server about them may be led elsewhere, so `hostKind`
 * does not permit plain `http` to them.
 */
export function sameAddress(host: string): string {
  if (host.endsWith(".localhost")) return "loopback";
  const bytes = addressBytes(host);
  return bytes === null ? host : unwrap(bytes).join(".");
}

export type AddressKind =
  | "loopback"
  | "unspecified"
  | "link-local"
  | "multicast"
  | "metadata"
  | "private"
  | "public";

/** What kind of address these bytes are. RFC 6890, RFC 4193; the metadata addresses are those of the large clouds. */
export function addressKind(raw: readonly number[]): AddressKind {
  const b = unwrap(raw);
  const [a = 0, c = 0, d = 0, e = 0] = b;
  if (b.length === 4) {
    if (a === 127) return "loopback";
    if (a === 0) return "unspecified";
    if (a === 169 && c === 254)
      return d === 169 && e === 254 ? "metadata" : "link-local";
    if (a === 100 && c === 100 && d === 100 && e === 200) return "metadata";
    if (a === 168 && c === 63 && d === 129 && e === 16) return "metadata";
    if (a >= 224) return "multicast";
    if (
      a === 10 ||
      (a === 172 && c >= 16 && c <= 31) ||
      (a === 192 && c === 168) ||
      (a === 100 && c >= 64 && c <= 127)
    )
      return "private";
    return "public";
  }
  if (b.slice(0, 15).every((x) => x === 0))
    return b[15] === 1 ? "loopback" : "unspecified";
  if (a === 0xfe && (c & 0xc0) === 0x80) return "link-local";
  if (a === 0xff) return "multicast";
  const aws = [0xfd, 0x00, 0x0e, 0xc2];
  if (aws.every((x, i) => b[i] === x)) return "metadata";
  if ((a & 0xfe) === 0xfc || (a === 0xfe && (c & 0xc0) === 0xc0))
    return "private";
  return "public";
}

const METADATA_HOSTS = ["metadata.google.internal", "metadata.goog"];

/** The kind of a URL's hostname (lower case, no brackets). A name that is not an address is `public`. */
export function hostKind(host: string): AddressKind {
  if (host === "localhost") return "loopback";
  if (METADATA_HOSTS.includes(host)) return "metadata";
  const bytes = addressBytes(host);
  return bytes === null ? "public" : addressKind(bytes);
}
