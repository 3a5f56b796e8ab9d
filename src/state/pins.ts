// A person's own pins: `pins.json` has the hashes of what each server offered, `pinned/` one file a server with the
// texts, for showing what has changed. The file of texts also says that there are pins: when `pins.json` is gone or
// broken, nothing of such a server is approved.
import { join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { isThere } from "../host/is-there.ts";
import { systemReason } from "../host/system-reason.ts";
import type { Pins, Server } from "../model/model.ts";
import { changeState, readState } from "./state-file.ts";
import { sha256 } from "../sha256.ts";

/** What is kept of one server. */
interface Entry {
  readonly instructions: string | null;
  readonly tools: Readonly<Record<string, string>>;
}

/** What a server offered, as canonical JSON without its token; for people only. */
export interface PinnedTexts {
  readonly instructions: string | null;
  readonly tools: ReadonlyMap<string, string>;
}

const isHash = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  (value["instructions"] === null || isHash(value["instructions"])) &&
  isObject(value["tools"]) &&
  Object.values(value["tools"]).every(isHash);

/** The file that defines the server, and its name there. */
const keyOf = (host: Host, { name, origin }: Server): string =>
  `${host.files.realpath(origin.at.file)}#${name}`;

const textsFile = (folder: string, key: string): string =>
  join(folder, "pinned", `${sha256(key).slice(0, 32)}.json`);

/** Nothing is approved. */
const NOTHING: Pins = { origin: null, instructions: null, tools: new Map() };

/** The pins of these servers, by name. What is lost is a warning, and pins nothing at all. */
export function readPins(
  host: Host,
  folder: string,
  servers: readonly Server[],
): {
  readonly pins: ReadonlyMap<string, Pins>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const kept = readState(host, folder, "pins", isEntry);
  const pins = new Map<string, Pins>();
  const lost: string[] = [];
  for (const server of servers) {
    const key = keyOf(host, server);
    const entry = kept.value?.get(key);
    if (entry !== undefined)
      pins.set(server.name, {
        origin: null,
        instructions: entry.instructions,
        tools: new Map(Object.entries(entry.tools)),
      });
    else if (isThere(host.files, textsFile(folder, key))) {
      pins.set(server.name, NOTHING);
      lost.push(server.name);
    }
  }
  return {
    pins,
    diagnostics: [
      ...(lost.length === 0 ? [] : kept.diagnostics).map((d) => ({
        ...d,
        severity: "warning" as const,
      })),
      ...lost.map((name) =>
        report(
          "pin/lost",
          { name },
          { help: `look at it again with \`fenzi mcp pin ${name}\`` },
        ),
      ),
    ],
  };
}

/** The texts that were pinned; null when they are not kept. */
export function readTexts(
  host: Host,
  folder: string,
  server: Server,
): PinnedTexts | null {
  try {
    const bytes = host.files.read(
      textsFile(folder, keyOf(host, server)),
      MOST_BYTES,
    );
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isObject(value) || !isObject(value["tools"])) return null;
    const { instructions, tools } = value;
    return {
      instructions: typeof instructions === "string" ? instructions : null,
      tools: new Map(
        Object.entries(tools).filter(
          (pair): pair is [string, string] => typeof pair[1] === "string",
        ),
      ),
    };
  } catch {
    // Only the difference cannot be shown.
    return null;
  }
}

const MOST_BYTES = 32 * 1024 * 1024;

/** Pins what a server offers, in place of what was pinned of it. */
export async function keepPins(
  host: Host,
  folder: string,
  server: Server,
  pinned: { readonly pins: Pins; readonly texts: PinnedTexts },
): Promise<Result<true>> {
  const key = keyOf(host, server);
  const file = textsFile(folder, key);
  try {
    host.files.makeFolder(join(folder, "pinned"), 0o700);
    // First: with it, a crash in between leaves nothing approved.
    host.files.writeAtomic(
      file,
      `${JSON.stringify({
        formatVersion: 1,
        server: key,
        instructions: pinned.texts.instructions,
        tools: Object.fromEntries(pinned.texts.tools),
      })}\n`,
      0o600,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const place = { file, reason: systemReason(code) };
    return { value: null, diagnostics: [report("write/not-writable", place)] };
  }
  const entry: Entry = {
    instructions: pinned.pins.instructions,
    tools: Object.fromEntries(pinned.pins.tools),
  };
  return changeState(host, folder, "pins", isEntry, (old) =>
    new Map(old).set(key, entry),
  );
}
