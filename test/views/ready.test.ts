// The ready line with more problems than any program needs: a golden case cannot show a line with a key in it.
import { expect, test } from "vitest";
import { report } from "../../src/diagnostics/catalog.ts";
import { codex } from "../../emitters/codex/index.ts";
import { printReady } from "../../src/views/ready.ts";
import { testHost } from "../support/test-host.ts";

test("the ready line is one line and bounded, whatever there is to say", () => {
  const host = testHost();
  const problems = Array.from({ length: 20_000 }, (_, i) =>
    report("gateway/no-token", { name: `s${i}` }),
  );
  printReady(host, { urls: new Map(), agents: [] }, problems);
  expect(host.out().match(/\n/g)).toHaveLength(1);
  const { ready, diagnostics } = JSON.parse(host.out()) as {
    ready: boolean;
    diagnostics: { code: string }[];
  };
  expect(ready).toBe(true);
  expect(diagnostics).toHaveLength(10_001);
  expect(diagnostics.at(-1)?.code).toBe("check/more");
});

test("on a terminal a person reads how each agent is started", () => {
  const launch = {
    argv: ["codex"],
    env: { CODEX_HOME: "/run/the key/codex" },
    needs: ["CODEX_API_KEY"],
    cwd: "/home/you/app",
  };
  const agents = [
    {
      agent: "codex",
      emitter: codex,
      folder: "/run/the key/codex",
      emission: { files: [], folders: [], launch, diagnostics: [] },
      diagnostics: [],
      servers: [],
      unenforced: [],
    },
  ];
  const said = (tty: boolean) => {
    const host = testHost({ tty });
    printReady(host, { urls: new Map(), agents }, []);
    expect(host.out().match(/\n/g)).toHaveLength(1);
    return host.err();
  };
  expect(said(false)).toBe("");
  expect(said(true)).toBe(
    "codex\n  cd /home/you/app && CODEX_HOME='/run/the key/codex' codex\n  needs CODEX_API_KEY\n",
  );
});
