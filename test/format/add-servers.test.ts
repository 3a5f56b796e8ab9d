// Several servers at once are written as one after the other would be.
import { expect, test } from "vitest";
import {
  addServers,
  setServer,
  type Entry,
} from "../../src/format/yaml-edit.ts";

const SERVERS: readonly (readonly [string, Entry])[] = [
  ["a", { command: ["x"] }],
  ["b", { command: ["x", "y"], env: { A: "1" } }],
  ["c", { url: "https://c.d/" }],
];

test.each([
  ["an empty file", ""],
  ["a block", "version: 1\nmcp:\n  z:\n    command: [z]\n# end\n"],
  ["a spaced block", "mcp:\n  z: { command: [z] }\n\n  y: { command: [y] }\n"],
  ["no line break at the end", "mcp:\n  z: { command: [z] }"],
  ["an empty mapping", "version: 1\nmcp: {} # none\n"],
  ["flow style", "mcp: { z: { command: [z] } }\n"],
  ["flow style with a comma", "mcp: { z: { command: [z] }, }\n"],
  ["flow style in lines", "mcp: {\n  z: { command: [z] }, # here\n}\n"],
  [
    "flow style in lines, no comma",
    "mcp: {\n  z: { command: [z] } # here\n}\n",
  ],
])("%s", (_what, text) => {
  let now = text;
  for (const server of SERVERS) {
    const done = setServer(now, ...server);
    expect(done).toHaveProperty("text");
    if ("text" in done) now = done.text;
  }
  expect(addServers(text, SERVERS)).toMatchObject({ text: now });
});
