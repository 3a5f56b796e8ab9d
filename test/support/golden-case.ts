// One folder below `golden/`: what its `case.json` may say, and where its parts lie. Running it is `run-case.ts`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export const GOLDEN = join(import.meta.dirname, "..", "..", "golden");

/** A claim about the result that no tool ever writes. `in` is a stream, or a file below the home folder. */
const claim = z.union([
  z.strictObject({ in: z.string(), contains: z.string() }),
  z.strictObject({ in: z.string(), lacks: z.string() }),
  /** The value at a JSON pointer of a JSON or TOML text; null when there is nothing. */
  z.strictObject({ in: z.string(), at: z.string(), equals: z.unknown() }),
  z.strictObject({ file: z.string(), mode: z.string() }),
  z.strictObject({ absent: z.string() }),
  z.strictObject({ folder: z.string() }),
  /** The input file is as it was, byte for byte. */
  z.strictObject({ untouched: z.string() }),
]);

/** What git cannot hold, made before a command runs. Paths are below the home folder. */
const preparation = z.union([
  z.strictObject({ link: z.string(), to: z.string() }),
  z.strictObject({ mode: z.string(), of: z.string() }),
  z.strictObject({ folder: z.string() }),
  z.strictObject({ remove: z.string() }),
  /** `text` so many times; with `base64`, bytes that are no text. */
  z.strictObject({ write: z.string(), text: z.string(), times: z.int() }),
  z.strictObject({ write: z.string(), base64: z.string() }),
]);

const step = z.strictObject({
  args: z.array(z.string()),
  exit: z.int(),
  before: z.array(preparation).optional(),
  stdin: z.string().optional(),
  /** Answers to the questions of this step; with them there is a terminal. */
  answers: z.array(z.unknown()).optional(),
});

const shape = z.strictObject({
  why: z.string().min(20),
  /** One command … */
  ...step.partial({ args: true, exit: true }).shape,
  /** … or several, one after the other. */
  steps: z.array(step).min(1).optional(),
  /** Where `.git` lies, below `project/`; null: nowhere. */
  git: z.string().nullable().optional(),
  /** Where the commands run, below `project/`. */
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Values that may stand in no output, besides those of `FENZI_VAULT_*`. */
  secrets: z.array(z.string()).optional(),
  must: z.array(claim).min(1),
});

export type Claim = z.infer<typeof claim>;
export type Preparation = z.infer<typeof preparation>;
export type Step = z.infer<typeof step>;

export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  readonly steps: readonly Step[];
  readonly git: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly must: readonly Claim[];
}

export const caseNames = (): readonly string[] =>
  existsSync(GOLDEN)
    ? readdirSync(GOLDEN, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : [];

export function readCase(name: string): GoldenCase {
  const folder = join(GOLDEN, name);
  const read = shape.parse(
    JSON.parse(readFileSync(join(folder, "case.json"), "utf8")),
  );
  const { args, exit, before, stdin, answers } = read;
  if ((args === undefined) === (read.steps === undefined))
    throw new Error(`${name}: case.json needs either \`args\` or \`steps\``);
  const steps = read.steps ?? [
    step.parse({ args, exit, before, stdin, answers }),
  ];
  const env = read.env ?? {};
  return {
    name,
    folder,
    steps,
    git: read.git === undefined ? "." : read.git,
    cwd: read.cwd ?? ".",
    env,
    secrets: [
      ...(read.secrets ?? []),
      ...Object.entries(env)
        .filter(([k]) => k.startsWith("FENZI_VAULT_") && !k.endsWith("_URL"))
        .map(([, value]) => value),
    ],
    must: read.must,
  };
}
