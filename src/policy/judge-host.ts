// Whether an isolated server may connect to a host: the same rules as for the hosts that arguments name, and of each
// address whether it is one that a name must not lead to.
import {
  addressBytes,
  addressKind,
  sameAddress,
  type AddressKind,
} from "../match/address.ts";
import { hostMatches } from "../match/named-hosts.ts";

/** What one layer says; null where it says nothing. Rules are in the one spelling of their host. */
export interface HostRules {
  readonly allow: readonly string[] | null;
  readonly ports: readonly number[] | null;
}

/** Null when every layer allows it, and at least one lists hosts. */
export function hostRefusal(
  layers: readonly HostRules[],
  { host, port }: { readonly host: string; readonly port: number },
): { readonly rule: string; readonly reason: string } | null {
  if (layers.every(({ allow }) => allow === null))
    return { rule: "hosts.allow", reason: "no host is allowed" };
  for (const { allow, ports } of layers) {
    if (allow !== null && !allow.some((rule) => hostMatches(rule, host)))
      return {
        rule: "hosts.allow",
        reason: `the host is not allowed; allowed: ${listed(allow)}`,
      };
    if (ports !== null && !ports.includes(port))
      return {
        rule: "hosts.ports",
        reason: `the port is not allowed; allowed: ${listed(ports)}`,
      };
  }
  return null;
}

/** Not for any rule: they are no place of one host. */
const NEVER: readonly AddressKind[] = ["unspecified", "multicast"];

/**
 * Why an address that a name led to may not be connected to; null when it may. Those of this machine, of private
 * networks and of a cloud's metadata must be listed themselves, by every layer that lists hosts.
 */
export function addressRefusal(
  layers: readonly HostRules[],
  address: string,
): string | null {
  const bytes = addressBytes(address);
  if (bytes === null) return "its name leads to no address";
  const kind = addressKind(bytes);
  if (kind === "public") return null;
  const literal = sameAddress(address);
  const isListed = layers.every(
    ({ allow }) =>
      allow === null ||
      allow.includes(literal) ||
      (kind === "loopback" && allow.includes("localhost")),
  );
  return isListed && !NEVER.includes(kind)
    ? null
    : `it leads to ${kind === "unspecified" ? "an" : "a"} ${kind} address, which has to be listed itself`;
}

const listed = (rules: readonly (string | number)[]): string =>
  rules.length === 0 ? "none" : rules.slice(0, 8).join(", ");
