// Locks whose holder is gone. What happens between two looks at a file no command can show.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { withLock } from "../../src/state/lock.ts";
import { testHost } from "../support/test-host.ts";

const GONE = 999_999_999;

const lockOf = (host: { readonly root: string }) =>
  join(host.root, "state", "some.lock");

function withGoneHolder() {
  const host = testHost();
  host.files.makeFolder(dirname(lockOf(host)), 0o700);
  host.files.createExclusive(lockOf(host), `${GONE}-x`);
  return host;
}

/** A host that does something else right after its so-manieth look at, or change of, a file. */
function interrupted(host: Host, after: number, other: () => void): Host {
  let done = 0;
  const count =
    <A extends unknown[], R>(act: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return act(...args);
      } finally {
        if (++done === after) other();
      }
    };
  const { createExclusive, read, remove } = host.files;
  return {
    ...host,
    files: {
      ...host.files,
      createExclusive: count(createExclusive),
      read: count(read),
      remove: count(remove),
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

test.each(Array.from({ length: 12 }, (_, i) => i + 1))(
  "two that find a lock whose holder is gone get in one after the other, the second after step %i of the first",
  async (step) => {
    const host = withGoneHolder();
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      for (let i = 0; i < 5; i++) await turn();
      inside--;
    };
    let second: Promise<void> | null = null;
    const start = (): void => {
      second = withLock(host, lockOf(host), work);
    };
    await withLock(interrupted(host, step, start), lockOf(host), work);
    await second;
    expect(most).toBe(1);
    expect(readdirSync(dirname(lockOf(host)))).toEqual([]);
  },
);

test("one that was ended while it took such a lock away stops nobody", async () => {
  const host = withGoneHolder();
  host.files.createExclusive(`${lockOf(host)}.${GONE}-x`, `${GONE}-y`);
  expect(await withLock(host, lockOf(host), () => "in")).toBe("in");
  expect(readdirSync(dirname(lockOf(host)))).toEqual([]);
});

test("a lock that names nobody is waited for, and then taken away", async () => {
  const host = testHost();
  let waited = 0;
  host.files.makeFolder(dirname(lockOf(host)), 0o700);
  for (const name of ["", ".nobody"])
    host.files.createExclusive(lockOf(host) + name, "");
  const sleep = async (milliseconds: number) => {
    waited += milliseconds;
  };
  expect(await withLock({ ...host, sleep }, lockOf(host), () => "in")).toBe(
    "in",
  );
  expect(waited).toBeGreaterThan(10_000);
  expect(readdirSync(dirname(lockOf(host)))).toEqual([]);
});

test("a holder that lives is waited for, however many come before", async () => {
  const host = { ...testHost(), sleep: turn } as ReturnType<typeof testHost>;
  let inside = 0;
  let most = 0;
  const all = Array.from({ length: 8 }, () =>
    withLock(host, lockOf(host), async () => {
      most = Math.max(most, ++inside);
      // Some hundred looks of each of the others: all of them together are more than anybody is waited for.
      for (let i = 0; i < 120; i++) await turn();
      inside--;
    }),
  );
  await Promise.all(all);
  expect(most).toBe(1);
});
