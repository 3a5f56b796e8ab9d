// The target that new ones are copied from works like the rest.
import { expect, test } from "vitest";
import { template } from "../../emitters/_template/index.ts";
import {
  contextWith,
  httpServer,
  spanAt,
  stdioServer,
} from "../support/delivered-servers.ts";

test("it writes every server, and says what it needs", () => {
  const { files, launch, diagnostics } = template.emit(
    [
      httpServer("gw", {
        headers: { A: "x ${B}" },
        token: { scheme: "bearer", header: "Authorization", variable: "T" },
        filter: { everything: true, deny: ["d"] },
      }),
      stdioServer("local", { command: ["p", "${C}"], env: { D: "e" } }),
    ],
    contextWith({ theme: "dark" }),
  );
  expect(files.map(({ path, text }) => [path, JSON.parse(text)])).toEqual([
    [
      "servers.json",
      {
        theme: "dark",
        servers: {
          gw: {
            url: "https://gw.example.com/mcp",
            headers: { A: "x ${B}", Authorization: "Bearer ${T}" },
            tools: { allow: "all", ask: [], deny: ["d"] },
          },
          local: {
            command: ["p", "${C}"],
            env: { D: "e" },
            cwd: "/project",
            tools: { allow: [], ask: [], deny: [] },
          },
        },
      },
    ],
  ]);
  expect(launch.needs).toEqual(["B", "C", "T", "TEMPLATE_API_KEY"]);
  expect(diagnostics).toEqual([]);
});

test("what it would change is refused, at its place", () => {
  const { diagnostics } = template.emit(
    [
      httpServer("gw", { headers: { A: "$${X}" } }),
      stdioServer("local", { command: ["p", "$${X}"], env: { D: "$${X}" } }),
    ],
    contextWith(),
  );
  expect(diagnostics.map(({ code, at }) => [code, at])).toEqual([
    ["deliver/unescapable", spanAt(10)],
    ["deliver/unescapable", spanAt(21)],
    ["deliver/unescapable", spanAt(30)],
  ]);
});
