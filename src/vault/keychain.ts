// The keychain of the operating system: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows.
// Knows accounts and texts; what an account is bound to and which store counts first is `vault.ts`.
import type { AsyncEntry, EntryOptions } from "@napi-rs/keyring";
import type { Host } from "../host/host.ts";
import { align, readUint32 } from "./bus-message.ts";
import { callBus } from "./bus.ts";

export const SERVICE = "fenzi";

/** On Linux the library would fall back to the kernel's keyring, from which a sandbox can read. */
export const ENTRY_OPTIONS: EntryOptions = {
  linux: { store: "secret-service" },
};

export interface Failure {
  readonly failure: string;
}
export const isFailure = (value: unknown): value is Failure =>
  typeof value === "object" && value !== null && "failure" in value;

export interface Keychain {
  /** Whether there is an entry, without reading it and without a dialog. A locked one would have to be unlocked first. */
  look(account: string): Promise<"present" | "locked" | "absent" | Failure>;
  /** Null when there is none. */
  read(account: string): Promise<string | null | Failure>;
  /** May show the keychain's own dialog. */
  write(account: string, text: string): Promise<null | Failure>;
  /** False when there is none. May show the keychain's own dialog. */
  remove(account: string): Promise<boolean | Failure>;
}

/** A list must not wait for a keychain longer than a person would. */
const PATIENCE = 2_000;

export function openKeychain(host: Host): Keychain {
  return {
    look:
      host.platform === "linux"
        ? (account) => searchSecretService(host, account)
        : async (account) => {
            const text = await attempt(account, (entry) => entry.getPassword());
            return isFailure(text)
              ? text
              : text === null
                ? "absent"
                : "present";
          },
    read: (account) => attempt(account, (entry) => entry.getPassword()),
    write: (account, text) =>
      attempt(account, async (entry) => {
        await entry.setPassword(text);
        return null;
      }),
    remove: (account) => attempt(account, (entry) => entry.deleteCredential()),
  };
}

/** The library is loaded only here: `mcp list` without tokens, and a machine without a keychain, never get so far. */
async function attempt<T>(
  account: string,
  act: (entry: AsyncEntry) => Promise<T>,
): Promise<T | Failure> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    return await act(new AsyncEntry(SERVICE, account, ENTRY_OPTIONS));
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Asks for entries with the attributes that the library gives them. The answer is two lists of object paths: entries
 * that can be read, and entries that are locked.
 */
async function searchSecretService(
  host: Host,
  account: string,
): Promise<"present" | "locked" | "absent" | Failure> {
  const called = await callBus(
    host,
    {
      destination: "org.freedesktop.secrets",
      path: "/org/freedesktop/secrets",
      interface: "org.freedesktop.Secret.Service",
      member: "SearchItems",
      argument: { service: SERVICE, username: account },
    },
    PATIENCE,
  );
  if (isFailure(called)) return called;
  const { body, littleEndian } = called.answer;
  if (body.length < 8)
    return { failure: "the keychain program answers with nothing" };
  const open = readUint32(body, 0, littleEndian);
  if (open > 0) return "present";
  return readUint32(body, align(4 + open, 4), littleEndian) > 0
    ? "locked"
    : "absent";
}
