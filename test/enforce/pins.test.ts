// What becomes of lists, calls and instructions beside pins, rule by rule. The law over all definitions is in test/laws.
import { expect, test } from "vitest";
import {
  brief,
  call,
  exchange,
  passed,
  receive,
  result,
  roadOf,
  send,
  tool,
} from "../support/enforce-case.ts";
import { sha256 } from "../../src/sha256.ts";
import { exposedTools } from "../../src/enforce/exposed-tools.ts";
import type { Exchange } from "../../src/enforce/exchange.ts";
import { hashOf } from "../../src/enforce/pins.ts";
import type { Road } from "../../src/enforce/road.ts";

const list = exchange("tools/list");
const names = (value: unknown, open: Exchange, road: Road) => {
  const got = passed(receive(road, result(value), open)) as {
    result: { tools: { name: string }[] };
  } | null;
  return got?.result.tools.map((t) => t.name) ?? null;
};

test("instructions are shown as they were pinned and otherwise not; the tools go on", () => {
  const first = (instructions: unknown, pinned: string | null) => {
    const road = roadOf(
      undefined,
      [],
      [{ origin: null, instructions: pinned, tools: new Map() }],
    );
    const verdict = receive(
      road,
      result({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        ...(instructions === undefined ? {} : { instructions }),
      }),
      exchange("initialize"),
    );
    const shown = passed(verdict) as { result: { instructions?: unknown } };
    return [
      shown.result.instructions ?? null,
      verdict.kind === "pass" ? (verdict.record?.rule ?? null) : null,
    ];
  };
  const pinned = hashOf(sha256, '"Be kind"');
  expect(first("Be kind", pinned)).toEqual(["Be kind", null]);
  expect(first("Be kind!", pinned)).toEqual([null, "pin"]);
  expect(first(undefined, pinned)).toEqual([null, null]);
  // It had none when it was pinned.
  expect(first("Be kind", null)).toEqual([null, "pin"]);
});

test("a tool that nobody pinned is not shown beside pinned ones, and one that was not listed yet is not called", () => {
  const source = JSON.stringify(tool("read_file"));
  const pins = {
    origin: null,
    instructions: null,
    tools: new Map([["read_file", hashOf(sha256, source)]]),
  };
  const road = roadOf(undefined, [], [pins]);
  expect(brief(send(road, call("read_file")))).toBe("403 4030 pin");
  expect(
    names({ tools: [tool("read_file"), tool("search_x")] }, list, road),
  ).toEqual(["read_file"]);
  expect(brief(send(road, call("read_file")))).toBe("forward");
  expect(brief(send(road, call("search_x")))).toBe("403 4030 pin");
  // On a later page, too.
  const open = exchange("tools/list", { cursor: "2" });
  expect(
    names({ tools: [tool("read_file", { title: "x" })] }, open, road),
  ).toEqual([]);
  expect(brief(send(road, call("read_file")))).toBe("403 4030 pin");
});

test("every pin has to agree, and what is withheld is not called by what it was before", () => {
  const hash = hashOf(sha256, JSON.stringify(tool("read_file")));
  const pin = (value: string) => ({
    origin: null,
    instructions: null,
    tools: new Map([["read_file", value]]),
  });
  const other = pin("0".repeat(64));
  for (const pins of [
    [pin(hash), other],
    [other, pin(hash)],
  ])
    expect(
      names({ tools: [tool("read_file")] }, list, roadOf(undefined, [], pins)),
    ).toEqual([]);
  const road = roadOf(undefined, [], [pin(hash)]);
  expect(names({ tools: [tool("read_file")] }, list, road)).toEqual([
    "read_file",
  ]);
  expect(
    names({ tools: [tool("read_file", { title: "\u200b" })] }, list, road),
  ).toEqual([]);
  expect(brief(send(road, call("read_file")))).toBe("403 4030 pin");
});

test("programs get the tools that a door would show", () => {
  const { policy } = roadOf();
  expect(
    exposedTools(policy, [
      tool("read_file"),
      tool("delete_all"),
      tool("search_x"),
      tool("search_x"),
      tool("search_y", { description: "a\u200bb" }),
    ]).map(({ name }) => name),
  ).toEqual(["read_file"]);
});
