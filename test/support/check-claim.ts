// Whether a claim of a `case.json` holds for a result.
import { parse as parseToml } from "@iarna/toml";
import { parse as parseJsonc, type ParseError } from "jsonc-parser";
import type { Claim } from "./golden-case.ts";
import type { CaseResult } from "./run-case.ts";

/** What does not hold, in words, or null. */
export function brokenClaim(result: CaseResult, claim: Claim): string | null {
  if ("mode" in claim) {
    const mode = result.modeOf(claim.file);
    return mode === claim.mode
      ? null
      : `\`${claim.file}\` has the mode ${mode}, not ${claim.mode}`;
  }
  if ("absent" in claim)
    return result.after.has(claim.absent) || result.isFolder(claim.absent)
      ? `\`${claim.absent}\` is there`
      : null;
  if ("folder" in claim)
    return result.isFolder(claim.folder)
      ? null
      : `there is no folder \`${claim.folder}\``;
  if ("untouched" in claim)
    return result.before.has(claim.untouched) &&
      result.before.get(claim.untouched) === result.after.get(claim.untouched)
      ? null
      : `\`${claim.untouched}\` is not as it was`;
  const text = textOf(result, claim.in);
  if (text === null) return `there is no file \`${claim.in}\``;
  if ("contains" in claim)
    return text.includes(claim.contains)
      ? null
      : `${claim.in} lacks ${JSON.stringify(claim.contains)}`;
  if ("lacks" in claim)
    return text.includes(claim.lacks)
      ? `${claim.in} has ${JSON.stringify(claim.lacks)}`
      : null;
  const value = at(parseData(claim.in, text), claim.at);
  return JSON.stringify(value) === JSON.stringify(claim.equals)
    ? null
    : `${claim.in} at ${claim.at} is ${JSON.stringify(value)}, not ${JSON.stringify(claim.equals)}`;
}

function textOf(result: CaseResult, place: string): string | null {
  if (place === "stdout") return result.steps.map((s) => s.stdout).join("");
  if (place === "stderr") return result.steps.map((s) => s.stderr).join("");
  return result.after.get(place) ?? null;
}

/** A JSON, JSONC or TOML text as plain data. Throws when it does not parse. */
export function parseData(name: string, text: string): unknown {
  if (name.endsWith(".toml")) return parseToml(text);
  if (!name.endsWith(".jsonc")) return JSON.parse(text);
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new SyntaxError(`\`${name}\` is not JSONC`);
  return value;
}

export const isData = (name: string): boolean =>
  /\.(?:jsonc?|toml)$/.test(name);

/** The value at a JSON pointer (RFC 6901); null when there is nothing. */
function at(value: unknown, pointer: string): unknown {
  let here = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key))
      return null;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}
