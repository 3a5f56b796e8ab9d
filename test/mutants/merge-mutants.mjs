// Small wrongs in how layers meet and calls are decided: at least one for each row of the merge table. `find` stands
// exactly once in the file.
const NARROW = "src/merge/narrow.ts";
const MERGE = "src/merge/merge.ts";
const SERVER = "src/merge/merge-server.ts";
const NEIGHBOURS = "src/merge/check-neighbours.ts";
const DECIDE = "src/policy/decide.ts";
const TOOLS = "src/policy/tool-matcher.ts";

const notCompared = (key) => ({
  name: `${key}: identity not compared`,
  file: NARROW,
  find: `${key}: "identity"`,
  replace: `${key}: "narrows"`,
});

export const mergeMutants = [
  ...[
    "url",
    "command",
    "cwd",
    "env",
    "headers",
    "token",
    "isolation",
    "allowSystemSocket",
  ].map(notCompared),
  {
    name: "identity: the innermost file defines the server",
    file: SERVER,
    find: "layers.findIndex(",
    replace: "layers.findLastIndex(",
  },
  {
    name: "identity: compared as text, not in canonical form",
    file: "src/merge/check-identity.ts",
    find: 'if (key === "url" && entry.url !== undefined) {',
    replace: "if (Math.PI < 0 && entry.url !== undefined) {",
  },
  {
    name: "enabled: true wins",
    file: NARROW,
    find: "layers.find((l) => l.entry.enabled === false)",
    replace:
      "layers.some((l) => l.entry.enabled === true) ? undefined : layers.find((l) => l.entry.enabled === false)",
  },
  {
    name: "enabled: only the outermost file counts",
    file: NARROW,
    find: "layers.find((l) => l.entry.enabled === false)",
    replace: "layers.slice(0, 1).find((l) => l.entry.enabled === false)",
  },
  {
    name: "enabled: does not shut the policy",
    file: DECIDE,
    find: "if (!server.enabled.value)",
    replace: "if (Math.PI < 0)",
  },
  {
    name: "enabled: a switched-off server is given to agents",
    file: "src/deliver/deliver.ts",
    find: "(s) => s.enabled.value && (model.airGap",
    replace: "(s) => (model.airGap",
  },
  {
    name: "tools.allow: union of the layers",
    file: DECIDE,
    find: 'if (allowed?.effect === "deny") return allowed;',
    replace: 'if (allowed?.effect === "deny") return null;',
  },
  {
    name: "tools.allow: only the outermost layer counts",
    file: DECIDE,
    find: "layers: server.tools.map((layer, i) => ({",
    replace:
      "layers: server.tools.map((layer, i) => i === 0 ? layer : { ...layer, allow: { kind: 'silent' as const } }).map((layer, i) => ({",
  },
  {
    name: "tools.allow: `all` of an inner layer limits",
    file: DECIDE,
    find: 'layer.allow.kind === "all" && server.tools.slice(0, i).some(lists)',
    replace: "Math.PI < 0 && server.tools.slice(0, i).some(lists)",
  },
  {
    name: "tools.allow: a pattern covers every name",
    file: TOOLS,
    find: "exact.get(name) ?? (plain ? patterns.find(name) : null) ?? none",
    replace: "exact.get(name) ?? patterns.find(name) ?? none",
  },
  {
    name: "tools.allow: compared without case",
    file: TOOLS,
    find: "exact.get(name) ?? (plain ? patterns.find(name) : null) ?? none",
    replace:
      "exact.get(name) ?? exact.get(name.toLowerCase()) ?? (plain ? patterns.find(name) : null) ?? none",
  },
  {
    name: "tools.allow: a remote server without a list has all",
    file: SERVER,
    find: '? { kind: "all", origin: layer.origin }\n        : { kind: "only", rules: [], origin: layer.origin }',
    replace:
      '? { kind: "all", origin: layer.origin }\n        : { kind: "all", origin: layer.origin }',
  },
  {
    name: "tools.allow: an empty list of an inner layer says nothing",
    file: SERVER,
    find: "if (tools?.allow !== undefined)\n",
    replace:
      "if (tools?.allow !== undefined && (defines || tools.allow.length > 0))\n",
  },
  {
    name: "tools.ask: ignored",
    file: DECIDE,
    find: 'ask: refuseMatcher(layer.ask, "ask")',
    replace: 'ask: refuseMatcher([], "ask")',
  },
  {
    name: "tools.ask: only the outermost layer counts",
    file: DECIDE,
    find: 'ask: refuseMatcher(layer.ask, "ask")',
    replace: 'ask: refuseMatcher(i === 0 ? layer.ask : [], "ask")',
  },
  {
    name: "tools.ask: only what every layer asks",
    file: DECIDE,
    find: 'ask: refuseMatcher(layer.ask, "ask")',
    replace:
      'ask: refuseMatcher(server.tools.every((l) => l.ask.length > 0) ? layer.ask : [], "ask")',
  },
  {
    name: "tools.ask: allows",
    file: DECIDE,
    find: 'if (allowed?.effect === "deny") return allowed;',
    replace:
      'if (allowed?.effect === "deny") return layer.ask(name, folded, plain) ?? allowed;',
  },
  {
    name: "tools.deny: ignored",
    file: DECIDE,
    find: 'deny: refuseMatcher(layer.deny, "deny")',
    replace: 'deny: refuseMatcher([], "deny")',
  },
  {
    name: "tools.deny: only the outermost layer counts",
    file: DECIDE,
    find: 'deny: refuseMatcher(layer.deny, "deny")',
    replace: 'deny: refuseMatcher(i === 0 ? layer.deny : [], "deny")',
  },
  {
    name: "tools.deny: intersection of the layers",
    file: DECIDE,
    find: 'deny: refuseMatcher(layer.deny, "deny")',
    replace:
      'deny: refuseMatcher(server.tools.every((l) => l.deny.length > 0) ? layer.deny : [], "deny")',
  },
  {
    name: "tools.deny: compared exactly",
    file: TOOLS,
    find: "    exactFolded.get(foldedName) ??\n    folded.find(foldedName) ??\n",
    replace: "    asWritten.find(name) ??\n",
  },
  {
    name: "decide: the weakest layer wins",
    file: DECIDE,
    find: "if (RANK[reason.effect] > RANK[effect])",
    replace: "if (RANK[reason.effect] < RANK[effect])",
  },
  {
    name: "airGap: ignored",
    file: MERGE,
    find: "documents.find((d) => d.value.airGap === true)",
    replace: "documents.find((d) => d.value.airGap === undefined && false)",
  },
  {
    name: "airGap: only the outermost file counts",
    file: MERGE,
    find: "documents.find((d) => d.value.airGap === true)",
    replace: "documents.slice(0, 1).find((d) => d.value.airGap === true)",
  },
  {
    name: "airGap: the innermost file wins",
    file: MERGE,
    find: "documents.find((d) => d.value.airGap === true)",
    replace: "documents.slice(-1).find((d) => d.value.airGap === true)",
  },
  {
    name: "airGap: remote servers are given to agents",
    file: "src/deliver/deliver.ts",
    find: '(model.airGap === "off" || !outside(s))',
    replace: "(Math.PI > 0 || !outside(s))",
  },
  {
    name: "projectServers: ignored",
    file: MERGE,
    find: "d.value.projectServers === false",
    replace: "d.value.projectServers === undefined && false",
  },
  {
    name: "projectServers: only the nearest file is held to it",
    file: MERGE,
    find: 'IN_REPOSITORY: readonly LayerName[] = ["root", "project"]',
    replace: 'IN_REPOSITORY: readonly LayerName[] = ["project"]',
  },
  {
    name: "projectServers and agents: taken from a project",
    file: "schemas/fenzi.ts",
    find: ".strictObject(common)",
    replace:
      ".strictObject({ ...common, projectServers: z.unknown().optional(), agents: z.unknown().optional() })",
  },
  {
    name: "a whole server: an inner file takes over an outer name",
    file: "src/match/server-name.ts",
    find: 'name.toLowerCase().replaceAll("-", "_")',
    replace: "name",
  },
  {
    name: "a whole server: one that nobody defines is dropped",
    file: MERGE,
    find: "  for (const each of nothingToNarrow(idle, servers)) diagnostics.push(each);\n",
    replace: "",
  },
  {
    name: "a whole server: host ownership ignored",
    file: NEIGHBOURS,
    find: "if (owner !== undefined && !owns(one))",
    replace: "if (Math.PI < 0)",
  },
  {
    name: "a whole server: two at one address",
    file: NEIGHBOURS,
    find: "if (same === undefined) first.set(path, one);",
    replace: "if (Math.PI > 0) first.set(path, one);",
  },
  {
    name: "a whole server: this machine has several addresses",
    file: "src/match/url.ts",
    find: 'loopback ? "loopback" : sameAddress(host)',
    replace: "sameAddress(host)",
  },
  {
    name: "a whole server: names that one agent mixes up",
    file: NEIGHBOURS,
    find: "if (short === undefined) continue;",
    replace: "if (short === undefined || Math.PI > 0) continue;",
  },
  {
    name: "trust: what a repository adds is written unseen",
    file: "src/commands/trust-gate.ts",
    find: "if (flag === true) return [];",
    replace: "if (Math.PI > 0) return [];",
  },
];
