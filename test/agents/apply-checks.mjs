// What speaks against what an agent did after `fenzi apply`: each returns problems, none when it is well.
import { NEVER_ANSWERS } from "./mcp-http-server.mjs";

export const passes = (output, server, tool) =>
  output?.includes(`RESULT ${server} ${tool} over`)
    ? []
    : [`${tool} of ${server} was answered ${JSON.stringify(output)}`];

export const says = (output, words) =>
  words
    .filter((each) => !output?.includes(each))
    .map((each) => `no ${each} in ${JSON.stringify(output)}`);

export const listProblems = (tools, name) => [
  ...[
    ["local", "echo"],
    ["local", "read_file"],
    ["web", "echo"],
    ["web", "revoked"],
    ["slow", NEVER_ANSWERS],
  ]
    .map(([server, tool]) => name(server, tool))
    .filter((tool) => !tools.includes(tool))
    .map((tool) => `${tool} is missing among ${tools.join(", ")}`),
  ...[name("local", "hidden"), name("web", "Delete_All")].filter((tool) =>
    tools.includes(tool),
  ),
];

export const othersIn = (mcp) =>
  [
    ...new Set(
      mcp
        .seen()
        .map(({ server }) => server)
        .filter((server) => server !== "web"),
    ),
  ].sort();

export function logProblems(rows) {
  const calls = rows.filter(({ method }) => method === "tools/call");
  const has = (effect, server, tool, rule) =>
    calls.some(
      (row) =>
        row.effect === effect &&
        row.server === server &&
        row.tool === tool &&
        (rule === undefined || row.rule === rule),
    )
      ? []
      : [`no row says ${effect} ${server} ${tool}`];
  return [
    ...has("allow", "local", "echo"),
    ...has("allow", "web", "echo"),
    ...has("allow", "local", "read_file"),
    ...has("deny", "local", "read_file", "paths.read"),
    ...has("deny", "web", "read_file", "private"),
    ...has("deny", "web", "revoked", "tools.deny"),
    ...has("allow", "slow", NEVER_ANSWERS),
    ...rows
      .map((row) => JSON.stringify(row))
      .filter((text) => /"over"|secret\.txt|passwd/.test(text)),
  ];
}

export const differences = (now, then) => [
  ...now.filter((each) => !then.includes(each)).map((each) => `now ${each}`),
  ...then.filter((each) => !now.includes(each)).map((each) => `gone ${each}`),
];
