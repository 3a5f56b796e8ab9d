// What holds of every import, over random files: it never throws, every server stands in one place, what is written is
// valid, importing again adds nothing (all of that is in `runImport`), and a secret never comes out.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { runImport } from "./run-import.ts";

const RUNS = 1000;

const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "x",
      "",
      "a b",
      "--token",
      "-e",
      "${A}",
      "${A:-b}",
      "$B",
      "${",
      "$$",
      "%C%",
      "~/x",
      "ü🙂",
      "a\nb",
      "\0",
      "\ud800",
      "mcp__a__t",
      "*",
      "!x",
      "true",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);
const odd = fc.oneof(
  text,
  fc.constantFrom(null, true, false, 0, 1.5, [], {}),
  fc.array(text, { maxLength: 3 }),
);
const name = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "a b",
    "a_b",
    "gw",
    "gw_x",
    "workspace",
    "__proto__",
    "🔥",
    "1x",
  ),
  fc.string({ maxLength: 50 }),
);
const key = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "command",
      "args",
      "url",
      "httpUrl",
      "serverUrl",
      "type",
      "transport",
      "env",
      "environment",
      "headers",
      "cwd",
      "disabled",
      "enabled",
      "isActive",
      "tools",
      "includeTools",
      "disallowedTools",
      "alwaysAllow",
      "timeout",
      "baseUrl",
    ),
  },
  { weight: 1, arbitrary: text },
);
const url = fc.constantFrom(
  "https://a.example/mcp",
  "https://A.example:443/mcp",
  "http://localhost:1/sse",
  "http://b.example",
  "https://u:p@c.example",
  "https://d.example/?token=abc",
  "https://${H}/",
  "wss://e.example",
  "https://f.example/#g",
  "",
);
const value = fc.oneof(
  odd,
  url,
  fc.dictionary(
    fc.oneof(text, fc.constantFrom("TOKEN", "Authorization", "X-Api-Key", "A")),
    odd,
    { maxKeys: 3 },
  ),
);
const entry = fc.oneof(
  { weight: 1, arbitrary: odd },
  { weight: 3, arbitrary: fc.dictionary(key, value, { maxKeys: 6 }) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        command: text,
        args: fc.array(text, { maxLength: 5 }),
        env: fc.dictionary(fc.constantFrom("TOKEN", "A", "B C"), text, {
          maxKeys: 3,
        }),
      },
      { requiredKeys: ["command"] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        url,
        headers: fc.dictionary(
          fc.constantFrom("Authorization", "X-Api-Key", "A", "Accept"),
          text,
          { maxKeys: 3 },
        ),
        tools: fc.array(text, { maxLength: 3 }),
      },
      { requiredKeys: ["url"] },
    ),
  },
);
const wrapper = fc.dictionary(name, entry, { maxKeys: 6 });

it("every server of a random file stands in exactly one place", () => {
  fc.assert(
    fc.property(wrapper, (servers) => {
      const result = runImport([
        { file: "a.json", text: JSON.stringify({ mcpServers: servers }) },
      ]);
      const rows = [
        ...result.add.map((a) => a.renamedFrom ?? a.name),
        ...result.dropped.flatMap((d) => ("key" in d ? [] : [d.name])),
      ];
      expect(rows.sort()).toEqual(Object.keys(servers).sort());
    }),
    { numRuns: RUNS },
  );
});

it("several random files can be imported together, and again", () => {
  fc.assert(
    fc.property(
      wrapper,
      wrapper,
      fc.constantFrom("servers", "mcpServers"),
      (a, b, under) => {
        runImport([
          { file: "a.json", text: JSON.stringify({ mcpServers: a }) },
          { file: "b.json", text: JSON.stringify({ [under]: b }) },
        ]);
      },
    ),
    { numRuns: RUNS },
  );
});

it("any text is read or refused with a place", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .array(
            fc.constantFrom(
              "{",
              "}",
              "[",
              "]",
              '"a"',
              ":",
              ",",
              "//",
              "/*",
              "*/",
              "\n",
              '"mcpServers"',
              "1",
              "null",
              "\\",
            ),
            { maxLength: 12 },
          )
          .map((t) => t.join("")),
      ),
      (source) => {
        const result = runImport([{ file: "a.json", text: source }]);
        const errors = result.diagnostics.filter(
          (d) => d.code === "import/not-json",
        );
        expect(errors.every((d) => d.at !== null)).toBe(true);
      },
    ),
    { numRuns: RUNS },
  );
});

it("a secret never comes out, wherever it stands", () => {
  const alphabet = [
    ..."abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
  ];
  const secret = fc
    .array(fc.constantFrom(...alphabet), { minLength: 20, maxLength: 40 })
    .map((letters) => `Q7${letters.join("")}`);
  const server = (s: string, other: string) =>
    fc.constantFrom<Record<string, unknown>>(
      { command: "x", env: { API_KEY: s, OTHER: other } },
      { command: "x", env: { DSN: `postgres://u:${s}@h/db` } },
      { command: "x", env: { CONFIG: JSON.stringify({ a: { apiKey: s } }) } },
      { command: "x", args: ["--api-key", s, other] },
      { command: "x", args: [`--api-key=${s}`] },
      { command: "x", args: ["-e", `GITHUB_TOKEN=${s}`, "img"] },
      { command: "x", args: ["--header", `Authorization: Bearer ${s}`] },
      { command: "x", args: ["--header", `X-Api-Key:${s}`] },
      { command: "x", args: ["--config", JSON.stringify({ token: s, other })] },
      { command: "x", args: [JSON.stringify(JSON.stringify({ token: s }))] },
      { command: "x", args: [`https://h.example/?token=${s}&a=b`] },
      { command: "x", args: [`redis://:${s}@h:1/0`] },
      {
        command: "sh",
        args: ["-c", `TOKEN=${s} exec y "${other.replaceAll('"', "")}"`],
      },
      { command: "x", args: [`sk-${s}`] },
      {
        url: "https://h.example/mcp",
        headers: { Authorization: `Bearer ${s}` },
      },
      {
        url: "https://h.example/mcp",
        headers: { Authorization: `Basic ${s}` },
      },
      {
        url: "https://h.example/mcp",
        headers: { "X-Api-Key": s, "X-Auth-Token": s },
      },
      { url: `https://h.example/mcp?api_key=${s}` },
      { url: `https://u:${s}@h.example/mcp` },
      { url: `http://h.example/${s}`, headers: { "X-Token": s } },
      { url: "https://h.example/mcp", env: { TOKEN: s }, oauth: { secret: s } },
      { command: "x", args: `--token ${s}` },
      { command: 1, args: [s] },
      { type: "sse", url: "https://h.example", headers: { A: s } },
    );
  fc.assert(
    fc.property(
      secret.chain((s) =>
        fc.tuple(
          fc.constant(s),
          text.chain((other) => server(s, other)),
        ),
      ),
      ([s, one]) => {
        const result = runImport([
          { file: "a.json", text: JSON.stringify({ mcpServers: { one } }) },
        ]);
        expect(JSON.stringify(result)).not.toContain(s);
      },
    ),
    { numRuns: 3 * RUNS },
  );
});
