// The `fenzi.yaml` of the trials, and what is expected of it.
import { headers, inYaml, texts } from "./odd-values.mjs";

/** Tools that every server of the harness has. */
export const TOOLS = [
  "echo",
  "asked",
  "denied",
  "unlisted",
  "ECHO",
  "read_open",
  "read_secret",
];

/** Values of the variables that a launch line may need. */
export const VALUES = {
  FENZI_MCP_WEB: "the-token-of-web",
  FENZI_MCP_KEYED: "the-token-of-keyed",
  REFERENCE: "from the caller",
};

const RULES = `{ allow: [echo, asked, "read_*"], ask: [asked], deny: [denied, "*_secret"] }`;

/** Keys of the odd values that this agent gets. */
export const given = (adapter) => ({
  args: Object.keys(texts).filter((key) => !adapter.refused.arg.includes(key)),
  env: Object.keys(texts).filter((key) => !adapter.refused.env.includes(key)),
  headers: Object.keys(headers).filter(
    (key) => !adapter.refused.header.includes(key),
  ),
});

/** `all`: the tools of `web` are not limited. */
export function projectFile({ mcp, world, adapter, all = false }) {
  const odd = given(adapter);
  const words = [
    ...world.stdio,
    "local",
    TOOLS.join(","),
    ...odd.args.map((key) => texts[key]),
  ];
  return `version: 1
mcp:
  web:
    url: ${mcp.url}/web
    token: true
    headers:
      X-Reference: "\${REFERENCE}"
${odd.headers.map((key) => `      X-Odd-${key}: ${inYaml(headers[key])}\n`).join("")}\
    tools: ${all ? "all" : RULES}
  keyed:
    url: ${mcp.url}/keyed
    token: { header: X-Api-Key }
    tools: { allow: all, ask: [asked], deny: [denied] }
  local:
    command: [${words.map(inYaml).join(", ")}]
    env:
      REFERENCE: "\${REFERENCE}"
${odd.env.map((key) => `      ODD_${key}: ${inYaml(texts[key])}\n`).join("")}\
    tools: { allow: [echo], deny: [denied] }
`;
}

/** A file with one odd value, which the agent is known to change. */
export const refusedFile = (kind, key) =>
  kind === "header"
    ? `version: 1
mcp: { web: { url: "http://127.0.0.1:1/", headers: { X-Odd: ${inYaml(headers[key])} }, tools: all } }
`
    : `version: 1
mcp:
  local:
    command: [program${kind === "arg" ? `, ${inYaml(texts[key])}` : ""}]
    env: { ${kind === "env" ? `ODD: ${inYaml(texts[key])}` : ""} }
`;
