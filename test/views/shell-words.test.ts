// What the shells of this machine read back from a word: below the command line, which prints words but runs no shell.
import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellLine } from "../../src/views/shell-words.ts";

const has = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;
const readBack = (shell: string, words: readonly string[], locale: string) =>
  spawnSync(shell, ["-c", `printf '%s\\0' ${shellLine(words)}`], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: locale },
  }).stdout.split("\0");

const WORDS = [
  "",
  "a b",
  "it's",
  "back\\slash",
  "$HOME `x` !y",
  "tab\tline\n",
  "\u0001'\\1",
  "\u007f\u0085\u00ad9",
  "\u200b\u202e\u2028f",
  "\u{e0001}0\u{1f600}",
  "\u115f\ufe0f",
];

describe.each(["bash", "zsh", "ksh"].filter(has))("%s", (shell) => {
  test.each(["C", "C.UTF-8"])("reads back what was meant, in %s", (locale) => {
    expect(readBack(shell, WORDS, locale)).toEqual([...WORDS, ""]);
  });
});

test("a word of what can be seen is the same for every shell", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
      (words) => {
        expect(readBack("sh", words, "C")).toEqual([...words, ""]);
      },
    ),
    { numRuns: 20 },
  );
});

test("nothing in a line is unseen", () => {
  expect(shellLine(WORDS)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
});
