// What is shown for one agent behind a running gateway, with the real program: what is allowed passes, a refusal reaches the
// model, the server sees the token and the agent never does, and nothing is left when the gateway has ended.
import { existsSync, mkdtempSync, statSync } from "node:fs";
import { join } from "node:path";
import { same } from "../support/tally.mjs";
import { loosening, runAgent, wordsOf } from "./agent-run.mjs";
import { writeSettings } from "./compile.mjs";
import { environmentsWith, filesWith } from "./find-secret.mjs";
import { readLog, startGateway } from "./gateway.mjs";
import { TELLS_HEADERS } from "./mcp-http-server.mjs";
import { makeWorld } from "./world.mjs";

/** `Delete_All` is refused by a rule that only folding finds, `revoked` by one that is written while the agent runs. */
export const GATEWAY_TOOLS = ["echo", TELLS_HEADERS, "revoked", "Delete_All"];

const TOKENS = { web: "s3cr3t-of-web-5f0c", keyed: "s3cr3t-of-keyed-91ab" };

const projectFile = (mcp, denied) => `version: 1
mcp:
  web:
    url: ${mcp.url}/web
    token: true
    tools: { allow: all, deny: [${denied.join(", ")}] }
  keyed:
    url: ${mcp.url}/keyed
    token: { header: X-Api-Key }
    tools: { allow: [echo, ${TELLS_HEADERS}] }
`;

const vault = (mcp) =>
  Object.fromEntries(
    Object.entries(TOKENS).flatMap(([name, token]) => [
      [`FENZI_VAULT_${name.toUpperCase()}`, token],
      [`FENZI_VAULT_${name.toUpperCase()}_URL`, `${mcp.url}/${name}`],
    ]),
  );

export async function runGatewayTrials({
  adapter,
  executable,
  model,
  mcp,
  root,
  tally,
}) {
  const { agent } = adapter;
  const check = (name, problems) =>
    tally.check(`${agent} behind the gateway: ${name}`, problems);
  mcp.forget();
  const world = makeWorld({
    root: mkdtempSync(join(root, "gateway ")),
    mcp,
    adapter,
    executable,
  });
  writeSettings(world, agent, adapter.settings(model.url));
  world.write("fenzi.yaml", projectFile(mcp, ["delete_all"]));

  const gateway = await startGateway({ world, agent, env: vault(mcp) });
  try {
    const plan = gateway.ready?.agents?.[agent];
    check("one line says that it is ready", readiness(gateway, agent));
    if (!plan?.launch) return;
    check("the launch line loosens nothing and asks for no token", [
      ...loosening(plan.launch),
      ...[...wordsOf(plan.launch), ...plan.launch.needs]
        .filter((word) => holdsPlaceholder(word) || holdsToken(word))
        .map((word) => `it has \`${word}\``),
    ]);
    check("only its owner may look into the agent's folder", modeOf(plan.dir));
    await runWith({ adapter, model, mcp, world, gateway, plan, check });
    check("ends in good order on SIGTERM", [
      ...same("the exit status", await gateway.stop(), 0),
      ...same("lines", gateway.stdout().trim().split("\n").length, 1),
      ...(await stillListening(gateway.ready.servers.web.url)),
    ]);
    check("no session stays open at a server", mcp.sessions());
    check(
      "the agent's folder is gone with it",
      [plan.dir, world.out].filter((folder) => existsSync(folder)),
    );
  } finally {
    await gateway.stop();
  }
}

async function runWith({ adapter, model, mcp, world, gateway, plan, check }) {
  const { agent } = adapter;
  adapter.trust({ folder: plan.dir, ...world });
  const name = (server, tool) => adapter.toolName(server, tool);
  const call = (server, tool) => ({
    calls: [{ name: name(server, tool), args: { text: "over" } }],
  });
  let environments = [];
  const revoke = async () => {
    environments = environmentsWith(`TMPDIR=${world.env.TMPDIR}`, gateway.pid);
    world.write("fenzi.yaml", projectFile(mcp, ["delete_all", "REVOKED"]));
    await gateway.says("what is stricter holds now");
  };
  const script = [
    call("web", "echo"),
    call("keyed", "echo"),
    call("web", TELLS_HEADERS),
    call("keyed", TELLS_HEADERS),
    call("web", "revoked"),
    { ...call("web", "revoked"), before: revoke },
    call("web", "Delete_All"),
  ];
  const ended = await runAgent({
    adapter,
    model,
    world,
    launch: plan.launch,
    script,
    values: {},
  });
  const outputs = model.results().map(({ output }) => output);
  const [web, keyed, webTold, keyedTold, before, after] = outputs;
  const passes = (output, server, tool) =>
    output.includes(`RESULT ${server} ${tool} over`)
      ? []
      : [`${tool} of ${server} was answered ${JSON.stringify(output)}`];
  check(
    "runs",
    ended.code === 0 && model.turns() > script.length
      ? []
      : [
          `exit ${ended.code}, ${model.turns()} turns`,
          ended.stdout.slice(-800),
          ended.stderr.slice(-800),
          gateway.stderr().slice(-800),
        ],
  );
  check("an allowed call passes, and its result reaches the model", [
    ...passes(web, "web", "echo"),
    ...passes(keyed, "keyed", "echo"),
    ...passes(before, "web", "revoked"),
  ]);
  check(
    "a refusal reaches the model, with the tool's name and the rule",
    ["policy_denied", "`revoked` of `web`", "tools.deny"]
      .filter((words) => !after.includes(words))
      .map((words) => `no ${words} in ${JSON.stringify(after)}`),
  );
  if (adapter.listsTools)
    check(
      "does not offer a tool that is refused by a rule only folding finds",
      [name("web", "Delete_All")].filter((t) => model.offered().includes(t)),
    );
  check(
    "the servers saw exactly the calls that passed",
    same(
      "calls",
      mcp.seen().flatMap((s) => (s.tool ? [`${s.server} ${s.tool}`] : [])),
      [
        "web echo",
        "keyed echo",
        `web ${TELLS_HEADERS}`,
        `keyed ${TELLS_HEADERS}`,
        "web revoked",
      ],
    ),
  );
  check("every request to a server had its token and no placeholder", [
    ...same("servers", serversIn(mcp.seen()), ["keyed", "web"]),
    ...mcp.seen().flatMap((request) => credentialProblems(request, gateway)),
  ]);
  check(
    "what a server tells of its token does not reach the agent",
    [webTold, keyedTold].filter(
      (told) => !told.includes(`${TELLS_HEADERS} {`) || holdsToken(told),
    ),
  );
  check("the agent never saw a token", [
    ...(environments.length > 0 ? [] : ["no process of the agent was found"]),
    ...[
      ["an environment", environments.join("\n")],
      ["what it sent to the model", model.heard()],
      ["what it said", ended.stdout + ended.stderr],
      ["what the gateway said", gateway.stdout() + gateway.stderr()],
    ].flatMap(([where, text]) => (holdsToken(text) ? [`in ${where}`] : [])),
    ...filesWith(world.root, Object.values(TOKENS)),
  ]);
  check("the rogue files have no effect", world.rogues());
  check(
    "the log shows both, with the agent and the tool",
    logProblems(await readLog(world), agent),
  );
}

const holdsToken = (text) =>
  Object.values(TOKENS).some((token) => text.includes(token));

const holdsPlaceholder = (text) => /FENZI_(?:MCP|VAULT)_/.test(text);

function readiness({ ready, stdout, stderr }, agent) {
  if (ready === null) return [stdout().slice(0, 300), stderr().slice(-800)];
  const ours = /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22,}\/(web|keyed)$/;
  return [
    ...same("formatVersion", ready.formatVersion, 1),
    ...same("ready", ready.ready, true),
    ...same("servers", Object.keys(ready.servers).sort(), ["keyed", "web"]),
    ...same("agents", Object.keys(ready.agents), [agent]),
    ...Object.entries(ready.servers).flatMap(([name, { url }]) =>
      same(`the address ${url}`, ours.exec(url)?.[1], name),
    ),
    ...ready.diagnostics.map(({ code, message }) => `${code}: ${message}`),
  ];
}

const modeOf = (folder) =>
  same("its mode", (statSync(folder).mode & 0o777).toString(8), "700");

const serversIn = (seen) => [...new Set(seen.map((s) => s.server))].sort();

function credentialProblems({ server, rpc, headers }, gateway) {
  const values = new Map(headers);
  const { pathname } = new URL(gateway.ready.servers.web.url);
  return [
    ...same(
      `the token of ${server} ${rpc}`,
      server === "web" ? values.get("authorization") : values.get("x-api-key"),
      server === "web" ? `Bearer ${TOKENS.web}` : TOKENS.keyed,
    ),
    ...headers
      .filter(([, value]) => holdsPlaceholder(value))
      .map((pair) => `${server} ${rpc} came with ${pair.join(": ")}`),
    ...headers
      .filter(([, value]) => value.includes(pathname.split("/")[1]))
      .map(([header]) => `${server} ${rpc} came with the key in ${header}`),
  ];
}

function logProblems(rows, agent) {
  const calls = rows.filter(({ method }) => method === "tools/call");
  const has = (effect, server, tool, rule) =>
    calls.some(
      (row) =>
        row.effect === effect &&
        row.server === server &&
        row.tool === tool &&
        (rule === undefined || row.rule === rule) &&
        same("arguments", row.arguments, ["text"]).length === 0,
    )
      ? []
      : [`no row says ${effect} ${server} ${tool}`];
  return [
    ...has("allow", "web", "echo"),
    ...has("allow", "keyed", "echo"),
    ...has("allow", "web", "revoked"),
    ...has("deny", "web", "revoked", "tools.deny"),
    ...calls.flatMap((row) => same("agent", row.agent, agent)),
    ...(rows.some(({ rule }) => rule === "reload")
      ? []
      : ["no row says that the rules were read again"]),
    ...rows
      .map((row) => JSON.stringify(row))
      .filter((text) => holdsToken(text) || /"over"/.test(text)),
  ];
}

/** The port must be closed. */
async function stillListening(url) {
  try {
    const { status } = await fetch(url, { method: "POST" });
    return [`it still answers, with ${status}`];
  } catch {
    return [];
  }
}
