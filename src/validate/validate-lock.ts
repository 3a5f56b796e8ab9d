// `fenzi.lock`: its shape, and what it pins of each server. A file that is cut short lacks its last line and is refused.
import { lockFile } from "../../schemas/lock.ts";
import type { Result } from "../diagnostics/diagnostic.ts";
import type { LayerName, Pins } from "../model/model.ts";
import type { Source } from "../source/source-file.ts";
import { checkSize } from "./check-size.ts";
import { validateShape } from "./validate-shape.ts";

/** What a lock file pins, by the server's name. */
export function validateLock(
  source: Source,
  layer: LayerName,
): Result<ReadonlyMap<string, Pins>> {
  const tooMany = checkSize(source);
  if (tooMany.length > 0) return { value: null, diagnostics: tooMany };
  const { value, ...shaped } = validateShape(source, lockFile, []);
  // Nobody writes this file by hand.
  const diagnostics = shaped.diagnostics.map((d) => ({ ...d, help: AGAIN }));
  if (value === null) return { value, diagnostics };
  const pins = Object.entries(value.servers).map(
    ([name, server]): readonly [string, Pins] => [
      name,
      {
        origin: { layer, at: source.locate(["servers", name], "key") },
        instructions: digest(server.instructions ?? null),
        tools: new Map(
          Object.entries(server.tools).map(([tool, hash]) => [
            tool,
            digest(hash),
          ]),
        ),
      },
    ],
  );
  return { value: new Map(pins), diagnostics };
}

const AGAIN =
  "take the file from git again, or remove it and run `fenzi mcp pin`";

const digest = <T extends string | null>(hash: T): T =>
  (hash?.slice("sha256:".length) ?? null) as T;
