// zod's findings in our words: unknown keys with the nearest known one, wrong types, missing keys. zod's own wording
// never reaches a user.
import type * as z from "zod";
import { report } from "../diagnostics/catalog.ts";
import { quote } from "../diagnostics/codes/define.ts";
import {
  MOST_PROBLEMS,
  type Diagnostic,
  type Result,
} from "../diagnostics/diagnostic.ts";
import { findSecret } from "../match/secret.ts";
import { nearest } from "../match/nearest.ts";
import type { Path, Source } from "../source/source-file.ts";

/** Checks the values of a file against its shape. */
export function validateShape<S extends z.ZodType>(
  source: Source,
  shape: S,
  machineKeys: readonly string[],
): Result<z.infer<S>> {
  // Each shape is used once: to compile it first would take longer.
  const parsed = shape.safeParse(source.value, { jitless: true });
  if (parsed.success) return { value: parsed.data, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  for (const issue of parsed.error.issues)
    if (diagnostics.length < MOST_PROBLEMS)
      for (const each of translate(source, shape, machineKeys, issue, []))
        diagnostics.push(each);
  // A missing key whose misspelling was found beside it is one mistake, not two.
  const meant = new Set(
    diagnostics.flatMap(
      (d) => /did you mean `([^`]+)`/.exec(d.message)?.[1] ?? [],
    ),
  );
  return {
    value: null,
    diagnostics: diagnostics.filter(
      (d) =>
        d.code !== "schema/missing-key" ||
        ![...meant].some((m) => d.message.includes(`\`${m}\``)),
    ),
  };
}

type Issue = z.core.$ZodIssue;

function translate(
  source: Source,
  shape: z.ZodType,
  machineKeys: readonly string[],
  issue: Issue,
  prefix: Path,
): readonly Diagnostic[] {
  const path: Path = [...prefix, ...(issue.path as Path)];
  const found = valueAt(source.value, path);
  const at = source.locate(path, "value");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, MOST_PROBLEMS).map((key) => {
        const keyAt = source.locate([...path, key], "key");
        if (path.length === 0 && machineKeys.includes(key))
          return report("schema/machine-only", { key }, { at: keyAt });
        const known = keysAt(shape, path);
        return report(
          "schema/unknown-key",
          { key, known, nearest: nearest(key, known) },
          {
            at: keyAt,
            help:
              path.length === 0 && FOREIGN.includes(key)
                ? "this is another tool's format: `fenzi mcp import FILE` reads it"
                : null,
          },
        );
      });
    case "invalid_union": {
      const branches = issue.errors.filter((errors) =>
        errors.some((e) => e.path.length > 0 || e.code === "unrecognized_keys"),
      );
      const deepest = branches[0];
      if (deepest !== undefined)
        return deepest.flatMap((e) =>
          translate(source, shape, machineKeys, e, path),
        );
      if (isToken(path) && typeof found === "string")
        return [
          report(
            "server/token-in-file",
            {},
            {
              at,
              help: `write \`token: true\`, and store it with \`fenzi mcp token ${String(path[1])}\``,
            },
          ),
        ];
      const options = issue.errors.flatMap((errors) => errors.map(expected));
      return [
        report(
          "schema/wrong-type",
          {
            expected: [...new Set(options)].join(" or "),
            found: kindOf(found),
          },
          {
            at,
            help:
              path.at(-1) === "tools" && Array.isArray(found)
                ? "write `tools: { allow: […] }`"
                : null,
          },
        ),
      ];
    }
    case "invalid_type":
      if (found === undefined)
        return [
          report(
            "schema/missing-key",
            { key: String(path.at(-1) ?? "") },
            { at, help: help(path) },
          ),
        ];
      return [
        report(
          "schema/wrong-type",
          { expected: expected(issue), found: kindOf(found) },
          { at, help: formHelp(path, issue, found) },
        ),
      ];
    case "invalid_value":
      if (found === undefined)
        return [
          report(
            "schema/missing-key",
            { key: String(path.at(-1) ?? "") },
            { at, help: help(path) },
          ),
        ];
      return [
        report("schema/wrong-value", { expected: expected(issue) }, { at }),
      ];
    case "invalid_key":
    case "invalid_element":
      return issue.issues.flatMap((e) =>
        translate(source, shape, machineKeys, e, path),
      );
    default:
      return [
        report("schema/wrong-value", { expected: expected(issue) }, { at }),
      ];
  }
}

const isToken = (path: Path): boolean =>
  path.length === 3 && path[0] === "mcp" && path[2] === "token";

const help = (path: Path): string | null =>
  path.length === 1 && path[0] === "version"
    ? "write `version: 1` as the first line"
    : null;

/** What the value would be in the form that is wanted. */
function formHelp(path: Path, issue: Issue, found: unknown): string | null {
  if (issue.code !== "invalid_type") return null;
  if (path.at(-2) === "limits" && typeof found === "number")
    return "write the unit as well, such as `30s`, `8MiB` or `60/min`";
  if (issue.expected === "string" && typeof found !== "object")
    return `put it in quotes: \`"${String(found)}"\``;
  if (issue.expected === "array" && typeof found === "string")
    return findSecret(found, { kind: "text" }) === null
      ? `write ${quote(`[${found.trim().split(/\s+/).join(", ")}]`)}`
      : "write a list: `[WORD, …]`";
  if (issue.expected === "object" && Array.isArray(found))
    return LISTS[String(path.at(-1))] ?? null;
  return null;
}

/** Where a list stands one key further in. */
const LISTS: Readonly<Record<string, string>> = {
  paths: "write `paths: { read: […], write: […] }`",
  hosts: "write `hosts: { allow: […] }`",
};

/** Keys at the top of other tools' files. */
const FOREIGN = ["mcpServers", "servers", "mcp_servers", "context_servers"];

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "`true` or `false`",
  object: "a mapping",
  record: "a mapping",
  array: "a list",
  number: "a number",
};

function expected(issue: Issue): string {
  if (issue.code === "invalid_type")
    return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value")
    return issue.values.map((v) => quote(String(v))).join(" or ");
  return "another value";
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string")
    return findSecret(value, { kind: "text" }) === null
      ? `text (${quote(value)})`
      : "text";
  if (typeof value === "boolean") return `\`${value}\``;
  return `the number \`${String(value)}\``;
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** The keys that the shape knows at a path. */
function keysAt(schema: z.ZodType, path: Path): readonly string[] {
  const def = defOf(schema);
  if (def.innerType !== undefined) return keysAt(def.innerType, path);
  if (def.options !== undefined)
    return def.options.flatMap((o) => keysAt(o, path));
  const [step, ...rest] = path;
  if (def.shape !== undefined) {
    if (step === undefined) return Object.keys(def.shape);
    const next = def.shape[String(step)];
    return next === undefined ? [] : keysAt(next, rest);
  }
  if (step === undefined) return [];
  const inner = def.valueType ?? def.element;
  return inner === undefined ? [] : keysAt(inner, rest);
}
