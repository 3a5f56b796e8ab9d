// The pages say what is true: blocks are what the program prints, paths exist, commands and flags are known, codes are
// explained. `npm run update -- docs` refreshes the blocks.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog } from "../src/diagnostics/catalog.ts";
import { main } from "../src/main.ts";
import { refreshed, unmarked } from "./support/marked-blocks.ts";
import { rootedHost } from "./support/rooted-host.ts";
import { ROOT } from "./support/source-imports.ts";

const PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
const text = (page: string) => readFileSync(join(ROOT, page), "utf8");

/** Standard output of a command that needs no files. */
async function printed(...args: string[]): Promise<string> {
  const { host, stdout } = rootedHost({
    root: ROOT,
    home: "/",
    cwd: "/",
    env: {},
    tty: false,
    stdin: "",
    answers: [],
  });
  await main(args, host);
  return stdout();
}

/** Names of the commands below one, from its help. */
const commandsOf = async (...above: string[]): Promise<readonly string[]> => {
  const help = await printed(...above, "--help");
  const list = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "";
  return [...list.matchAll(/^ {2}([a-z]+)/gm)]
    .map((m) => m[1] ?? "")
    .filter((name) => name !== "help");
};

/** Every command that does something, as its words. */
async function allCommands(): Promise<readonly string[][]> {
  const top = await commandsOf();
  const nested = await Promise.all(
    top.map(async (name) => {
      const below = await commandsOf(name);
      return below.length === 0 ? [[name]] : below.map((sub) => [name, sub]);
    }),
  );
  return nested.flat();
}

describe.each(PAGES)("%s", (page) => {
  test("shows what the program prints", async () => {
    const expected = await refreshed(text(page));
    if (process.env["UPDATE"] === "1")
      writeFileSync(join(ROOT, page), expected);
    expect(text(page)).toBe(expected);
  });

  test("names only files that exist", () => {
    const named = [
      ...text(page).matchAll(
        /`((?:src|emitters|schemas|test|scripts|golden|examples)\/[\w./-]+)`|\]\((?!https?:|#)([^)]+)\)/g,
      ),
    ].map((m) => m[1] ?? m[2] ?? "");
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("names only commands and flags that exist", async () => {
    const commands = await allCommands();
    const wrong: string[] = [];
    const inBlocks = [...text(page).matchAll(/```sh\n([^]*?)```/g)].flatMap(
      (m) => [...(m[1] ?? "").matchAll(/^(?:npx )?fenzi (.*)$/gm)],
    );
    const inLine = [...text(page).matchAll(/`fenzi ([^`]+)`/g)];
    for (const [, line = ""] of [...inBlocks, ...inLine]) {
      const words = line.replace(/ -- .*| #.*/, "").split(" ");
      if (words[0]?.startsWith("-")) continue;
      const command = commands.find((c) => c.every((w, i) => words[i] === w));
      const help =
        command === undefined ? "" : await printed(...command, "--help");
      for (const flag of line.match(/(?<= )--[a-z-]+/g) ?? [])
        if (!help.includes(flag)) wrong.push(`fenzi ${line}: ${flag}`);
      if (command === undefined) wrong.push(`fenzi ${line}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("README.md says where every block comes from", () => {
  expect(unmarked(text("README.md"))).toEqual([]);
});

test("README.md names every command", async () => {
  const silent = (await allCommands())
    .map((words) => words.join(" "))
    .filter((command) => !text("README.md").includes(`fenzi ${command}`));
  expect(silent).toEqual([]);
});

describe("diagnostic codes", () => {
  test.each(Object.entries(catalog))("%s is explained", (code, entry) => {
    expect(code).toMatch(/^[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(entry.explanation).toMatch(/^[A-Z`].{30,}[.]$/);
  });
});
