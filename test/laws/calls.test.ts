// Whoever is asked, the answer is the same: `explain`, the road by itself, the gateway and the guard. And no call that is
// refused reaches a server.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readCorpora, withId } from "../support/corpus.ts";
import { openDoors } from "../support/three-doors.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi calls ")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folderOf = (name: string): string => join(root, name);

const corpora = readCorpora((name) => ({
  project: join(folderOf(name), "project"),
  home: join(folderOf(name), "home"),
  outside: join(folderOf(name), "outside"),
}));

test("the corpus is not a small one", () => {
  expect(
    corpora.map(({ asked }) => asked.length).reduce((a, b) => a + b),
  ).toBeGreaterThanOrEqual(300);
});

test.each(corpora)("$name: all doors agree", async (corpus) => {
  mkdirSync(folderOf(corpus.name));
  const doors = await openDoors(corpus, folderOf(corpus.name));
  const wrong: object[] = [];
  try {
    let allowed = 0;
    for (const [
      count,
      { answer, title, message, call },
    ] of corpus.asked.entries()) {
      const bytes = withId(message, count);
      const answers = {
        enforce: doors.enforce(bytes),
        gateway: await doors.gateway(bytes),
        guard: await doors.guard(bytes),
        ...(call === null || call.tool === ""
          ? {}
          : { explain: await doors.explain(call.tool, call.args) }),
      };
      if (answer === "allowed") allowed += 1;
      if (Object.values(answers).some((each) => each !== answer))
        wrong.push({ title, answer, ...answers });
    }
    expect(wrong).toEqual([]);
    expect(doors.reached()).toEqual({ gateway: allowed, guard: allowed });
  } finally {
    await doors.close();
  }
});
