// Public config files, when they lie beside the repository, through the whole command: what is written must load, and a
// second time there is nothing to add.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentProblems } from "../support/check-document.ts";
import { run } from "./run.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/cases/configs");
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.jsonc?$/.test(file))
      .sort()
  : [];

test("every file gives one document, and what is written loads", async () => {
  for (const file of files) {
    const argv = ["mcp", "import", join(FOLDER, file), "--json"];
    const ran = await run(argv);
    expect([file, [0, 1].includes(ran.exit), ran.err]).toEqual([
      file,
      true,
      "",
    ]);
    expect([file, documentProblems(argv, ran.out)]).toEqual([file, []]);
    const { add, diagnostics } = JSON.parse(ran.out);
    expect([file, ran.exit]).toEqual([file, errorsIn(diagnostics)]);
    if (add.length === 0) continue;
    const check = await run(["check"], { root: ran.root });
    expect([file, check.exit, check.err.match(/error.*/)]).toEqual([
      file,
      0,
      null,
    ]);
    const again = await run(argv, { root: ran.root });
    expect([file, JSON.parse(again.out).add]).toEqual([file, []]);
    expect([file, again.file()]).toEqual([file, ran.file()]);
  }
}, 300_000);

const errorsIn = (diagnostics: readonly { readonly severity: string }[]) =>
  diagnostics.some((d) => d.severity === "error") ? 1 : 0;
