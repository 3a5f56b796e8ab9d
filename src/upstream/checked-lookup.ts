// Name resolution for connections to servers. The connection goes to the very addresses that were looked at here, so
// that a name cannot mean one thing when it is checked and another when it is used.
import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import {
  addressBytes,
  addressKind,
  type AddressKind,
} from "../match/address.ts";

/** The code of the error when an address may not be connected to. */
export const REFUSED_ADDRESS = "refused-address";

const NEVER: readonly AddressKind[] = [
  "unspecified",
  "link-local",
  "multicast",
  "metadata",
];

/** Node's `lookup` with `all: true`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (
    error: NodeJS.ErrnoException | null,
    addresses: LookupAddress[],
  ) => void,
) => void;

/** `loopback`: the server's own host is this machine; a name of any other host must not lead here. */
export const checkedLookup =
  (loopback: boolean, resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined)
        return callback(error ?? refused(), "", 0);
      for (const { address } of addresses)
        if (!mayConnect(address, loopback)) return callback(refused(), "", 0);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

export function mayConnect(address: string, loopback: boolean): boolean {
  const bytes = addressBytes(address);
  if (bytes === null) return false;
  const kind = addressKind(bytes);
  return !NEVER.includes(kind) && (kind !== "loopback" || loopback);
}

const refused = (): NodeJS.ErrnoException =>
  Object.assign(new Error("refused address"), { code: REFUSED_ADDRESS });
