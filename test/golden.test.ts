// Runs every folder of `golden/`: same output, same files, the claims of `case.json`, and what must hold in every case.
// `npm run update -- CASE` writes `expected/`, and only that.
import { describe, expect, test } from "vitest";
import { join } from "node:path";
import { brokenClaim, isData, parseData } from "./support/check-claim.ts";
import { documentProblems } from "./support/check-document.ts";
import { readTree, replaceTree } from "./support/folder-tree.ts";
import { caseNames, readCase, type GoldenCase } from "./support/golden-case.ts";
import { runCase, type CaseResult } from "./support/run-case.ts";
import { expectedTree } from "./support/expected-tree.ts";

const only = process.env["GOLDEN_CASES"]?.split(",") ?? null;
const names = caseNames().filter((n) => only === null || only.includes(n));
const update = process.env["UPDATE"] === "1";

describe.each(names)("golden/%s", (name) => {
  const golden = readCase(name);

  test("does what it says", async () => {
    const first = await runCase(golden, async (result) => {
      const tree = expectedTree(result);
      if (update) replaceTree(join(golden.folder, "expected"), tree);
      expect(
        golden.must.flatMap((claim) => brokenClaim(result, claim) ?? []),
        "the claims of case.json",
      ).toEqual([]);
      expect(
        result.steps.map(({ exit }) => exit),
        "exit codes",
      ).toEqual(golden.steps.map(({ exit }) => exit));
      expect(tree, "npm run update -- " + name).toEqual(
        readTree(join(golden.folder, "expected")),
      );
      expect(broken(golden, result)).toEqual([]);
      expect(await unstable(result), "compiled twice").toEqual([]);
      return tree;
    });
    const second = await runCase(golden, expectedTree);
    expect(second, "a second run gives the same bytes").toEqual(first);
  });

  test("is small and says one thing", () => {
    const lines = ["project", "machine"]
      .flatMap((part) => [...readTree(join(golden.folder, part)).values()])
      .reduce((sum, text) => sum + text.split("\n").length - 1, 0);
    expect(lines).toBeLessThan(40);
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+){2,}$/);
  });
});

/** What must hold in every case, unasked. */
function broken(golden: GoldenCase, result: CaseResult): readonly string[] {
  const problems: string[] = [];
  for (const { step, exit, stdout, stderr, unused, touched } of result.steps) {
    const line = `fenzi ${step.args.join(" ")}`;
    if (/^\s+at .*[(:]/m.test(stderr) || stderr.includes("bug in fenzi"))
      problems.push(`${line}: a crash: ${stderr}`);
    if (unused > 0) problems.push(`${line}: ${unused} answers were not asked`);
    // An import writes what it could keep, and exits 1 for the rest.
    const partly = step.args[0] === "mcp" && step.args[1] === "import";
    if ((exit === 1 || exit === 2) && touched.length > 0 && !partly)
      problems.push(`${line}: failed, and wrote ${touched.join(", ")}`);
    if (step.args.includes("--json") && exit <= 2)
      problems.push(...documentProblems(exit === 2 ? [] : step.args, stdout));
    if (line.startsWith("fenzi mcp list") && !step.args.includes("--json"))
      for (const row of stdout.split("\n"))
        if (row.length > 80) problems.push(`wider than 80 columns: ${row}`);
  }
  for (const [path, text] of result.changed) {
    if (!isData(path)) continue;
    try {
      parseData(path, text);
    } catch (error) {
      problems.push(`${path} does not parse: ${String(error)}`);
    }
  }
  const output = [
    ...result.steps.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...result.changed.values(),
  ];
  for (const secret of golden.secrets)
    if (output.some((text) => text.includes(secret)))
      problems.push(`an output holds the secret \`${secret.slice(0, 4)}…\``);
  return problems;
}

/** Compiling or applying once more changes nothing. */
async function unstable(result: CaseResult): Promise<readonly string[]> {
  const last = result.steps.at(-1);
  if (last === undefined || last.exit !== 0) return [];
  const { args } = last.step;
  if (
    !["compile", "apply"].includes(args[0] ?? "") ||
    /--(?:dry-run|check)/.test(args.join(" "))
  )
    return [];
  const check = await result.again([...args, "--check"]);
  const again = await result.again(args);
  return [
    ...(check.exit === 0 ? [] : ["the second plan is not empty"]),
    ...again.touched.map((path) => `${path} was written again`),
  ];
}
