// Files of agents as they are found: which servers they bring, and no harm from what else is in them.
import { expect, test } from "vitest";
import { serversIn } from "../../src/source/agent-file.ts";
import { readToml } from "../../src/source/toml-text.ts";

const toml = (text: string) =>
  serversIn("f", text, "toml", [["mcp_servers"]]).value?.map((s) => [
    s.name,
    s.kind,
    s.enabled,
    `${s.at.start.line}:${s.at.start.column}`,
  ]);

test("TOML in every form of table", () => {
  expect(
    toml(
      [
        '["mcp_servers" . "a\\u0062"]',
        "command = 'x'",
        "enabled = false",
        "[mcp_servers]",
        'c = { command = "x", env = { A = "]" } }',
        "d.enabled = true",
        '[mcp_servers.e]\ncommand = "fenzi"\nargs = ["guard", "e"]',
        "[mcp_servers.f.env]\nA = '''\n[mcp_servers.no]\n'''",
      ].join("\n"),
    ),
  ).toEqual([
    ["ab", "server", false, "1:2"],
    ["c", "server", null, "5:1"],
    ["d", "switch", true, "6:1"],
    ["e", "guard", null, "7:2"],
    ["f", "server", null, "10:2"],
  ]);
});

test("names that every object of JavaScript has are names, and leave no trace", () => {
  const before = Object.getOwnPropertyNames(Object).length;
  expect(
    toml(
      "[mcp_servers.constructor]\nx = 1\n[mcp_servers.__proto__]\npolluted = 1\n[x.toString.y]\nz = 1",
    )?.map(([name]) => name),
  ).toEqual(["constructor", "__proto__"]);
  expect(Object.getOwnPropertyNames(Object).length).toBe(before);
  expect(({} as { polluted?: number }).polluted).toBe(undefined);
  const json = serversIn(
    "f",
    '{"mcpServers": {"__proto__": {"command": "x"}}}',
    "json",
    [["mcpServers"]],
  );
  expect(json.value?.map((s) => s.name)).toEqual(["__proto__"]);
});

test("what is no TOML is refused with a place", () => {
  const place = (text: string) => {
    const at = readToml("f", text).diagnostics[0]?.at?.start;
    return `${at?.line}:${at?.column}`;
  };
  expect(place("a = 1\nb =")).toBe("2:4");
  expect(place("a = 1 2\n")).toBe("1:7");
  expect(place('[a]\nx = "no end\n')).toBe("2:5");
  expect(place("[a]\nb = 1\n\n[a]\n")).toBe("4:1");
  expect(place("x = 1\n[x.y]\n")).toBe("2:1");
  expect(place("a = ".padEnd(400, "["))).toBe("1:106");
  expect(place("\u0000 = 1")).toBe("1:1");
});

test("a mebibyte of headers or of quotes takes no time to speak of", () => {
  const start = performance.now();
  readToml("f", "[mcp_servers.a]\n".repeat(60_000));
  readToml("f", `a = ${"'".repeat(1_000_000)}`);
  readToml("f", `a = [${'"x",'.repeat(250_000)}]`);
  expect(performance.now() - start).toBeLessThan(20_000);
});
