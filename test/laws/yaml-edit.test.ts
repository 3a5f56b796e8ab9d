// For all files: an edit of one server changes nothing else. The files come out of a generator that lays out the same
// data in many ways; what is checked here (comments, data, line ends, bytes) is found by other means than the editor's.
import * as fc from "fast-check";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import {
  removeServer,
  setServer,
  type Edit,
  type Edited,
  type Entry,
} from "../../src/format/yaml-edit.ts";

const RUNS = { numRuns: 300 };

/** Lays out a file; every decision about its form comes from `pick`. Comments are numbered, so each is unique. */
function layOut(pick: (n: number) => number) {
  const step = " ".repeat([2, 2, 4, 3, 1, 8][pick(6)] ?? 2);
  const eol = pick(4) === 0 ? "\r\n" : "\n";
  const lines: string[] = [];
  let comments = 0;
  const comment = () => `# c${comments++}: not "data", {no} - [x]`;
  const tail = () => (pick(4) === 0 ? ` ${comment()}` : "");
  const between = (...indents: string[]) => {
    while (pick(3) === 0)
      lines.push(
        pick(2) === 0
          ? " ".repeat(pick(2))
          : `${indents[pick(indents.length)]}${comment()}`,
      );
  };
  const text = () =>
    ["x", "'it''s # no comment'", '"a: b"', '"# no"', "https://h/p#q", "é☃"][
      pick(6)
    ] ?? "x";
  const list = () => `[${["a", "b_*", '"#c"'].slice(0, pick(4)).join(", ")}]`;
  const flowServer = () =>
    [`{ url: "${"u"}" }`, "{command: [a, b]}", "{ url: u, tools: all }"][
      pick(3)
    ] ?? "{}";

  const body = (indent: string) => {
    const keys = ["url", "command", "env", "tools", "token", "note"];
    const count = 1 + pick(4);
    let below = indent + step;
    for (const key of keys.sort(() => pick(3) - 1).slice(0, count)) {
      between(indent, below);
      // Below a block scalar a deeper line would be its text.
      below = key === "note" ? indent : indent + step;
      const deep = indent + step;
      if (key === "command" && pick(2) === 0) {
        const dash = pick(2) === 0 ? indent : deep;
        lines.push(`${indent}command:${tail()}`);
        for (let i = 0; i <= pick(3); i++)
          lines.push(`${dash}- w${i}${tail()}`);
      } else if (key === "env" && pick(2) === 0) {
        lines.push(`${indent}env:${tail()}`);
        for (let i = 0; i <= pick(3); i++) {
          between(deep);
          lines.push(`${deep}K${i}: ${text()}${tail()}`);
        }
      } else if (key === "note") {
        lines.push(`${indent}note: |${tail()}`, `${deep}# no comment`);
        if (pick(2) === 0) lines.push("", `${deep}b: c`);
      } else if (key === "tools") {
        lines.push(`${indent}tools: { allow: ${list()} }${tail()}`);
      } else lines.push(`${indent}${key}: ${text()}${tail()}`);
    }
    between(indent, below);
  };

  const names = ["alpha", "beta", "gamma-x", "no"].slice(0, 1 + pick(4));
  const styles = ["none", "empty", "block", "block", "block", "flow", "tall"];
  const style = styles[pick(styles.length)] ?? "block";
  const mcp = () => {
    if (style === "empty") lines.push(`mcp: {}${tail()}`);
    if (style === "flow")
      lines.push(
        `mcp: { ${names.map((n) => `"${n}": ${flowServer()}`).join(", ")}${pick(2) === 0 ? "," : ""} }${tail()}`,
      );
    if (style === "tall") {
      lines.push(`mcp: {${tail()}`);
      const comma = pick(2);
      names.forEach((n, i) => {
        between(step);
        const end = i < names.length - 1 || comma === 0 ? "," : "";
        lines.push(`${step}"${n}": ${flowServer()}${end}${tail()}`);
      });
      between(step);
      lines.push(`${step}}${tail()}`);
    }
    if (style !== "block") return;
    lines.push(`mcp:${tail()}`);
    for (const name of names) {
      between(step);
      if (pick(3) === 0) lines.push("");
      const key = name === "no" ? '"no"' : name;
      if (pick(5) === 0) lines.push(`${step}${key}: ${flowServer()}${tail()}`);
      else {
        lines.push(`${step}${key}:${tail()}`);
        body(step + step);
      }
    }
    between(step);
  };

  between("");
  if (pick(5) === 0) lines.push(`---${tail()}`);
  const top = [
    () => lines.push(`version: 1${tail()}`),
    () => lines.push(`airGap: false${tail()}`),
    () => lines.push(`note: |`, `${step}# no comment`, `${step}mcp: {}`),
    mcp,
  ];
  for (const part of top.sort(() => pick(3) - 1)) {
    between("");
    part();
  }
  between("");
  if (pick(6) === 0) lines.push("...", ...(pick(2) === 0 ? [comment()] : []));
  const mark = pick(8) === 0 ? "\ufeff" : "";
  const source = mark + lines.join(eol) + (pick(4) === 0 ? "" : eol);
  return { source, eol, style, names, comments };
}

const file = fc
  .infiniteStream(fc.nat({ max: 999 }))
  .map((stream) => layOut((n) => (stream.next().value as number) % n));

const word = fc.oneof(
  fc.constantFrom("no", "1.10", "~", "a: b", "x #y", "- z", "", "*", "é", "🎉"),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ maxLength: 60 }),
);
const entry: fc.Arbitrary<Entry> = fc.record(
  {
    url: word,
    command: fc.array(word, { maxLength: 6 }),
    env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,3}$/), word, { maxKeys: 4 }),
    token: fc.boolean(),
    tools: fc.oneof(
      fc.constant("all"),
      fc.record({ allow: fc.array(word), deny: fc.array(word) }),
    ),
  },
  { requiredKeys: [] },
);

const done = (edit: Edited): Edit => {
  if ("problem" in edit) throw new Error(edit.problem);
  return edit;
};
const numbers = (text: string) =>
  [...text.matchAll(/# c(\d+):/g)].map((m) => Number(m[1]));
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
const oneLineEnd = (text: string, eol: string) =>
  eol === "\n" ? !text.includes("\r") : !/[^\r]\n/.test(text);
const dataOf = (text: string) => {
  const data = parse(text.replace(/^\ufeff/, "")) as Record<string, unknown>;
  const { mcp, ...rest } = data;
  return { rest, mcp: (mcp ?? {}) as Record<string, unknown> };
};

describe("adding a server", () => {
  test("says just that, keeps every comment, and is undone byte for byte", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(file, entry, (f, e) => {
        seen.add(f.style);
        const before = dataOf(f.source);
        const added = done(setServer(f.source, "fresh", e));
        const after = dataOf(added.text);
        expect(after.rest).toEqual(before.rest);
        expect(after.mcp).toEqual({ ...before.mcp, fresh: e });
        expect(numbers(added.text)).toEqual(numbers(f.source));
        expect(oneLineEnd(added.text, f.eol)).toBe(true);
        const removed = done(removeServer(added.text, "fresh"));
        expect(removed.comments).toEqual([]);
        if (f.style !== "none") expect(removed.text).toBe(f.source);
        else expect(dataOf(removed.text)).toEqual({ ...before, mcp: {} });
      }),
      RUNS,
    );
    expect([...seen].sort()).toEqual([
      "block",
      "empty",
      "flow",
      "none",
      "tall",
    ]);
  });

  test("keeps the comments in their order and all lines that were there", () => {
    fc.assert(
      fc.property(file, entry, (f, e) => {
        fc.pre(f.style === "block");
        const added = done(setServer(f.source, "fresh", e)).text;
        const rest = added.split(/\r?\n/);
        for (const line of f.source.split(/\r?\n/)) {
          const at = rest.indexOf(line);
          expect(at).not.toBe(-1);
          rest.splice(0, at + 1);
        }
      }),
      RUNS,
    );
  });
});

describe("removing a server", () => {
  test("loses no comment without naming it, and none outside its lines", () => {
    fc.assert(
      fc.property(file, fc.nat(), (f, n) => {
        fc.pre(f.style !== "none" && f.style !== "empty");
        const name = f.names[n % f.names.length] ?? "";
        const before = dataOf(f.source);
        const removed = done(removeServer(f.source, name));
        const { [name]: _, ...others } = before.mcp;
        expect(dataOf(removed.text)).toEqual({ ...before, mcp: others });
        const gone = numbers(removed.comments.join("\n"));
        expect(
          [...numbers(removed.text), ...gone].sort((a, b) => a - b),
        ).toEqual(upTo(f.comments));
        for (const c of gone) {
          const line = f.source
            .split(/\r?\n/)
            .find((l) => l.includes(`# c${c}:`));
          expect(line).toMatch(/^\s/);
        }
        expect(oneLineEnd(removed.text, f.eol)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe("changing a server", () => {
  test("changes the named keys and nothing else; a comment stays or is named", () => {
    let refused = 0;
    let runs = 0;
    fc.assert(
      fc.property(file, fc.nat(), entry, (f, n, e) => {
        fc.pre(f.style === "block");
        runs++;
        const name = f.names[n % f.names.length] ?? "";
        const before = dataOf(f.source);
        const changed = setServer(f.source, name, { ...e, note: null });
        if ("problem" in changed) {
          refused++;
          expect(changed.problem).toContain("comments inside");
          return;
        }
        const { note: _, ...old } = before.mcp[name] as Record<string, unknown>;
        expect(dataOf(changed.text)).toEqual({
          ...before,
          mcp: { ...before.mcp, [name]: { ...old, ...e } },
        });
        const gone = numbers(changed.comments.join("\n"));
        expect(
          [...numbers(changed.text), ...gone].sort((a, b) => a - b),
        ).toEqual(upTo(f.comments));
        expect(oneLineEnd(changed.text, f.eol)).toBe(true);
        expect(setServer(changed.text, name, e)).toEqual({
          text: changed.text,
          comments: [],
        });
      }),
      RUNS,
    );
    expect(refused).toBeLessThan(runs / 4);
  });

  test("to what it says already changes no byte", () => {
    fc.assert(
      fc.property(file, fc.nat(), (f, n) => {
        fc.pre(f.style !== "none" && f.style !== "empty");
        const name = f.names[n % f.names.length] ?? "";
        const same = dataOf(f.source).mcp[name] as Entry;
        expect(done(setServer(f.source, name, same)).text).toBe(f.source);
      }),
      RUNS,
    );
  });
});
