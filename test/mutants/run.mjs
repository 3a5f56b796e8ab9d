// `npm run test:mutants`: each small wrong is made in a copy of the project, and a golden case or a law must notice it.
// Survivors are listed and fail; so does a patch that no longer fits. The last line counts them all.
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { argumentMutants } from "./argument-mutants.mjs";
import { filterMutants } from "./filter-mutants.mjs";
import {
  commandMutants,
  deliveryMutants,
  limitMutants,
} from "./gateway-mutants.mjs";
import { mergeMutants } from "./merge-mutants.mjs";
import { pinMutants } from "./pin-mutants.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["src", "emitters", "schemas", "golden", "package.json"];
const TESTS = [
  "golden.test.ts",
  "support",
  "laws",
  "contract",
  "enforce",
  "gateway",
  "policy",
  "commands/gateway.test.ts",
];
const GOLDEN = ["test/golden.test.ts"];
const LAWS = ["test/laws/narrowing.test.ts", "test/laws/decide.test.ts"];
const FILTERS = ["test/contract/emitters.test.ts"];
const LIMITS = ["test/laws/limits.test.ts"];
const DELIVERY = ["test/contract/gateway-way.test.ts"];
const ARGUMENTS = [
  "test/laws/argument-rules.test.ts",
  "test/laws/private-files.test.ts",
  "test/policy",
];
const COMMAND = ["test/laws/tighten.test.ts", "test/commands/gateway.test.ts"];
const PINS = ["test/laws/pins.test.ts", "test/enforce/pins.test.ts"];
const EMITTERS = ["claude-code", "codex", "opencode", "grok"];
/** A wrong that a law notices, it notices soon. */
const RUNS = "500";
/** Milliseconds of one test, and of all that are run for a mutant. */
const PATIENCE = { test: 60_000, all: 300_000 };

/** The laws of each emitter alone, and of all together. */
const FILTERS_OF = Object.fromEntries(
  EMITTERS.map((emitter) => [
    emitter,
    [...FILTERS, "-t", `^(?:${emitter} |no agent )`],
  ]),
);

/** A mutant of one emitter is tried with that emitter's laws. */
const ofEmitter = ({ name }) => FILTERS_OF[name.split(":")[0]] ?? FILTERS;

const only = process.argv.slice(2).join(" ");
const mutants = [
  ...mergeMutants.map((mutant) => ({ ...mutant, stages: [GOLDEN, LAWS] })),
  ...filterMutants.map((mutant) => ({
    ...mutant,
    stages: [ofEmitter(mutant), GOLDEN],
  })),
  ...limitMutants.map((mutant) => ({ ...mutant, stages: [LIMITS, GOLDEN] })),
  ...argumentMutants.map((mutant) => ({
    ...mutant,
    stages: [ARGUMENTS, GOLDEN],
  })),
  ...deliveryMutants.map((mutant) => ({ ...mutant, stages: [DELIVERY] })),
  ...commandMutants.map((mutant) => ({ ...mutant, stages: [COMMAND] })),
  ...pinMutants.map((mutant) => ({ ...mutant, stages: [PINS] })),
].filter(({ name }) => name.includes(only));

/** A copy of the project in which tests can run; its dependencies are the project's own. */
function makeCopy() {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-mutants-")));
  for (const part of PARTS)
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const part of TESTS)
    cpSync(join(ROOT, "test", part), join(copy, "test", part), {
      recursive: true,
    });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  writeFileSync(
    join(copy, "vitest.config.mjs"),
    `export default ${JSON.stringify({ cacheDir: ".vite", test: { testTimeout: PATIENCE.test, env: { TZ: "UTC" } } })};\n`,
  );
  return copy;
}

const children = new Set();

/** Runs tests in a copy until the first failure; null when all pass. */
function firstFailure(copy, files) {
  return new Promise((done, fail) => {
    const child = spawn(
      process.execPath,
      [
        join(ROOT, "node_modules/vitest/vitest.mjs"),
        "run",
        "--bail=1",
        "--no-file-parallelism",
        ...files,
      ],
      {
        cwd: copy,
        env: { ...process.env, LAW_RUNS: RUNS, NO_COLOR: "1", UPDATE: "" },
        timeout: PATIENCE.all,
      },
    );
    children.add(child);
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.stderr.on("data", (chunk) => (text += chunk));
    child.on("error", fail);
    child.on("close", (code) => {
      children.delete(child);
      if (code === 0) return done(null);
      const failed = /^ FAIL {2}(test\/.*)$/m.exec(text)?.[1];
      if (/Tests .*\bfailed\b/.test(text) && failed !== undefined)
        return done(failed);
      return fail(new Error(`no test failed, but vitest did:\n${text}`));
    });
  });
}

/** Makes the change and returns what undoes it. */
function apply(copy, { file, find, replace, also }) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2)
    throw new Error(`${file} does not hold this exactly once: ${find}`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    const undo = also === undefined ? () => {} : apply(copy, also);
    return () => {
      undo();
      writeFileSync(path, text);
    };
  } catch (error) {
    writeFileSync(path, text);
    throw error;
  }
}

/** Says what came of one mutant; true when it was noticed. */
async function tryMutant(copy, mutant) {
  const { name } = mutant;
  let undo = () => {};
  try {
    undo = apply(copy, mutant);
    for (const files of mutant.stages) {
      const failed = await firstFailure(copy, files);
      if (failed === null) continue;
      console.log(`noticed   ${name}\n            by ${failed}`);
      return true;
    }
    console.log(`SURVIVED  ${name}`);
  } catch (error) {
    console.log(`BROKEN    ${name}\n${error.message}`);
  } finally {
    undo();
  }
  return false;
}

/** Without a change all tests pass; one stage after the other, until none is left. */
async function checkSound(copy, stages) {
  for (
    let files = stages.shift();
    files !== undefined;
    files = stages.shift()
  ) {
    const failed = await firstFailure(copy, files);
    if (failed !== null)
      throw new Error(`without any change this fails: ${failed}`);
  }
}

/** One mutant after the other, until none is left. */
async function work(copy, queue, counts) {
  for (;;) {
    const mutant = queue.shift();
    if (mutant === undefined) return;
    counts[(await tryMutant(copy, mutant)) ? "passed" : "failed"]++;
  }
}

const copies = [];
const clear = () => {
  for (const child of children) child.kill();
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    clear();
    process.exit(3);
  });
try {
  const wanted = Math.min(4, availableParallelism(), mutants.length);
  while (copies.length < wanted) copies.push(makeCopy());
  if (wanted === 0) throw new Error(`no mutant has \`${only}\` in its name`);
  const unchanged = [...new Set(mutants.flatMap(({ stages }) => stages))];
  await Promise.all(copies.map((copy) => checkSound(copy, unchanged)));
  const counts = { passed: 0, failed: 0 };
  const queue = [...mutants];
  await Promise.all(copies.map((copy) => work(copy, queue, counts)));
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
} finally {
  clear();
}
