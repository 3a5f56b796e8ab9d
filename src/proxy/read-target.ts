// Where a request to the proxy wants to go, in the one spelling of its host.
import { sameAddress } from "../match/address.ts";

export interface Target {
  /** Lower case, no brackets, no dot at the end: what is resolved and connected to. */
  readonly name: string;
  /** The same, in one spelling for all that reach the same place: what rules are compared with. */
  readonly host: string;
  readonly port: number;
}

/** `host:port` of CONNECT, where the port must stand; null when it is neither. */
export function readAuthority(text: string): Target | null {
  if (!/^(?:\[[^\]]*\]|[^:[\]]+):\d{1,5}$/.test(text)) return null;
  // The scheme has no port of its own that would be left out.
  return targetOf(text, 0);
}

/** The target of `http://host/path`, and the path; null for any other scheme, and for a user or password. */
export function readAbsolute(
  text: string,
): (Target & { readonly path: string }) | null {
  const parts = /^http:\/\/([^/?#\\]+)(\/[^#]*)?$/i.exec(text);
  if (parts === null) return null;
  const target = targetOf(parts[1] ?? "", 80);
  return target === null ? null : { ...target, path: parts[2] ?? "/" };
}

function targetOf(authority: string, standard: number): Target | null {
  if (/[@\s\\]/.test(authority)) return null;
  let url: URL;
  try {
    url = new URL(`http://${authority}`);
  } catch {
    return null;
  }
  const name = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const written = /:(\d{1,5})$/.exec(authority)?.[1];
  const port = written === undefined ? standard : Number(written);
  return name === "" || port < 1 || port > 65535
    ? null
    : { name, host: sameAddress(name), port };
}
