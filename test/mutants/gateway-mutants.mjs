// Small wrongs in how limits meet, in what agents behind a gateway are told, and in how the gateway is started and tightened.
const NARROW = "src/merge/narrow.ts";
const DELIVER = "src/deliver/deliver.ts";
const DECIDE = "src/policy/decide.ts";
const GATEWAY = "src/commands/gateway.ts";
const AGAIN = "src/commands/read-again.ts";
const TIGHTEN = "src/commands/tighten-rules.ts";
const SERVERS = "src/gateway/model-servers.ts";

const raises = (key) => ({
  name: `reload: limits.${key} is raised`,
  file: TIGHTEN,
  find: `${key}: Math.min(server.limits.${key}, limits.${key})`,
  replace: `${key}: limits.${key}`,
});

export const limitMutants = [
  {
    name: "limits: the largest of all files holds",
    file: NARROW,
    find: "(i > 0 && value >= found.value)",
    replace: "(i > 0 && value <= found.value)",
  },
  {
    name: "limits: the innermost file holds",
    file: NARROW,
    find: "(i > 0 && value >= found.value)",
    replace: "(i < 0 && value >= found.value)",
  },
  {
    name: "limits: the outermost file alone holds",
    file: NARROW,
    find: "(i > 0 && value >= found.value)",
    replace: "i > 0",
  },
  {
    name: "limits: what holds without a line of the outer file is ignored",
    file: NARROW,
    find: "(i > 0 && value >= found.value)",
    replace: '(found.origin !== "default" && value >= found.value)',
  },
  {
    name: "limits: the file that defines a server cannot go above the default",
    file: NARROW,
    find: "(i > 0 && value >= found.value)",
    replace: "value >= found.value",
  },
  {
    name: "limits: one that nobody holds is not said",
    file: "src/deliver/unheld.ts",
    find: 'origin === "default" ? undefined : origin',
    replace: "undefined",
  },
];

/** In what an emitter is given for an agent behind a gateway. */
export const deliveryMutants = [
  {
    name: "gateway: agents get the server's own address",
    file: DELIVER,
    find: "url: way.url(name)",
    replace: "url: transport.url",
  },
  {
    name: "gateway: agents get the configured headers",
    file: DELIVER,
    find: "headers: [],",
    replace: "headers: values(transport.headers),",
  },
  {
    name: "gateway: agents get the token's variable",
    file: DELIVER,
    find: "token: null,",
    replace: "token: http(server, transport).token,",
  },
  {
    name: "gateway: agents hide what their filter cannot say",
    file: DELIVER,
    find: "filter: leftOut.length === 0 ? filter : { ...filter, everything: true }",
    replace: "filter",
  },
  {
    name: "gateway: its limits are said to be held by nobody",
    file: DELIVER,
    find: "      unheld: [],",
    replace: "      unheld: unheldRules(server, model),",
  },
  {
    name: "gateway: the filter's patterns that cross are forgotten",
    file: "src/deliver/flatten-rules.ts",
    find: "      ...crossing(limits),\n",
    replace: "",
  },
];

/** In the running command. */
export const commandMutants = [
  {
    name: "gateway: all agents share one key",
    file: GATEWAY,
    find: "running.url(agent, server)",
    replace: "running.url(ANYBODY, server)",
  },
  {
    name: "gateway: the agents' folders stay",
    file: GATEWAY,
    find: "    folders?.remove();\n",
    replace: "",
  },
  {
    name: "gateway: an untrusted project is served",
    file: GATEWAY,
    find: "    for (const each of await passTrust(host, project, options.trust))\n      problems.push(each);",
    replace: "    await passTrust(host, project, options.trust);",
  },
  {
    name: "gateway: a server is called without its token",
    file: SERVERS,
    find: 'transport.token.kind !== "none" && token === null ? null : found',
    replace: "found",
  },
  {
    name: "gateway: limits of the file ignored",
    file: SERVERS,
    find: "limits: limitsOf(server.limits)",
    replace:
      "limits: { call: 60_000, request: 4_194_304, response: 16_777_216 }",
  },
  {
    name: "reload: the edited rules replace those of the start",
    file: TIGHTEN,
    find: "tightenPolicy(server.policy, policy)",
    replace: "policy ?? server.policy",
  },
  {
    name: "reload: the edited rules are not put in force",
    file: AGAIN,
    find: 'if ("rules" in result) door.enforce(result.rules);',
    replace: "",
  },
  {
    name: "reload: a server that is gone stays open",
    file: DECIDE,
    find: "edited === null ? removed : shutOrSilent(edited)",
    replace: "edited === null ? null : shutOrSilent(edited)",
  },
  {
    name: "reload: another address under the name counts as the same server",
    file: TIGHTEN,
    find: 'return b.kind === "http" && a.url === b.url;',
    replace: 'return b.kind === "http";',
  },
  ...["call", "request", "response"].map(raises),
];
