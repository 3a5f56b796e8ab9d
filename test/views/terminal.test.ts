// What reaches a terminal with colours: cases have none.
import { expect, test } from "vitest";
import { report } from "../../src/diagnostics/catalog.ts";
import { paintedLines, visibleJson } from "../../src/diagnostics/visible.ts";
import { terminal } from "../../src/views/terminal.ts";
import { testHost } from "../support/test-host.ts";

const RED = "\u001b[31m";
const EVIL = `${RED}a\u001b[2J\u202e\u0085\u{e0001}`;
const SHOWN = String.raw`\u{1b}[31ma\u{1b}[2J\u{202e}\u{85}\u{e0001}`;

test("colours are ours, everything else is words", () => {
  const host = { ...testHost({ tty: true }), env: {} };
  const view = terminal(host);
  view.out(EVIL);
  view.note(EVIL);
  const code = report("explain/unknown-code", { code: "x", nearest: null });
  view.diagnostics([{ ...code, message: EVIL, help: EVIL }], new Map());
  view.painted(`${view.paint.bold("name")} ${view.show(`/${EVIL}`)}`);
  view.painted(view.diff(`+${EVIL}\r\n-b`));
  const [shown, painted, ...lines] = host.out().split("\n");
  expect(shown).toBe(SHOWN);
  expect(painted).toBe(`\u001b[1mname\u001b[22m /${SHOWN}`);
  expect(lines[0]).toBe(`\u001b[32m+${SHOWN}\u001b[39m`);
  expect(host.err().split(SHOWN).length).toBe(4);
  expect(host.err()).toContain(RED);
  expect(host.out() + host.err()).not.toMatch(
    /\u001b(?!\[\d+m)|[\u202e\u0085]/,
  );
});

test("what is painted already loses all but our colours", () => {
  expect(
    paintedLines("\u001b[1mx\u001b[22m\u001b[8m\u001b]0;t\u0007\ty\n"),
  ).toBe(
    String.raw`${"\u001b"}[1mx${"\u001b"}[22m\u{1b}[8m\u{1b}]0;t\u{7}${"\ty\n"}`,
  );
});

test("JSON keeps its values", () => {
  const value = { [EVIL]: [EVIL, "\ud800 \n ä"] };
  const text = visibleJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toMatch(/^[\n -~ä]*$/);
});
