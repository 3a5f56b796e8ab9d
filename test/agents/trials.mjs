// What is shown for one agent, with the real program: first that the rogue files work without Fenzi, then that they do not
// with it and that the rules hold, and last that these checks would see it if the rules did not.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { same } from "../support/tally.mjs";
import { loosening, MODEL_KEY, PROMPT, runAgent } from "./agent-run.mjs";
import { compile, writeSettings } from "./compile.mjs";
import { headers, texts } from "./odd-values.mjs";
import { given, projectFile, refusedFile, VALUES } from "./project-file.mjs";
import { start } from "./start.mjs";
import { makeWorld } from "./world.mjs";

export async function runTrials({
  adapter,
  executable,
  model,
  mcp,
  root,
  tally,
}) {
  const check = (name, problems) =>
    tally.check(`${adapter.agent}: ${name}`, problems);
  const makeRoot = (name) => mkdtempSync(join(root, `${name} `));
  const world = (name) => {
    mcp.forget();
    return makeWorld({ root: makeRoot(name), mcp, adapter, executable });
  };

  const wild = world("wild");
  check(
    "without fenzi the rogue files have an effect",
    await runBare({ adapter, model, world: wild }),
  );

  const kept = world("kept");
  writeSettings(kept, adapter.agent, adapter.settings(model.url));
  kept.write("fenzi.yaml", projectFile({ mcp, world: kept, adapter }));
  const compiled = await compile(kept, adapter.agent);
  check("compiles", compiled.problems);
  const plan = compiled.document?.agents?.[0];
  if (!plan?.launch) return;
  check("the launch line loosens nothing", loosening(plan.launch));
  adapter.trust({ folder: plan.dir, ...kept });

  const name = (server, tool) => adapter.toolName(server, tool);
  const call = (server, tool) => ({
    calls: [{ name: name(server, tool), args: { text: "over" } }],
  });
  const run = (launch, script) =>
    runAgent({ adapter, model, world: kept, launch, script, values: VALUES });
  /** The calls that reached a server, as `server tool`. */
  const called = () => [
    ...mcp.seen().flatMap((s) => (s.tool ? [`${s.server} ${s.tool}`] : [])),
    ...kept
      .stdioSeen()
      .flatMap((s) => (s.tool ? [`${s.server} ${s.tool}`] : [])),
  ];
  const answered = (server, tool) => {
    const found = model
      .results()
      .find((result) => result.name === name(server, tool));
    return found?.output.includes(`RESULT ${server} ${tool} over`)
      ? []
      : [`${name(server, tool)} was answered ${JSON.stringify(found?.output)}`];
  };

  // 1: what is allowed and denied.
  const denied = [
    ["web", "denied"],
    ["web", "read_secret"],
    ["keyed", "denied"],
    ["local", "denied"],
  ];
  const ended = await run(plan.launch, [
    call("web", "echo"),
    call("local", "echo"),
    call("keyed", "echo"),
    ...(adapter.patterns ? [call("web", "read_open")] : []),
    ...denied.map(([server, tool]) => call(server, tool)),
    call("rogue", "echo"),
    call("web", "ECHO"),
    call("web", "unlisted"),
  ]);
  check(
    "runs",
    ended.code === 0 && model.turns() > 1
      ? []
      : [
          `exit ${ended.code}, ${model.turns()} turns`,
          ended.stdout.slice(-800),
          ended.stderr.slice(-800),
        ],
  );
  check("connects to exactly the servers of the file", [
    ...same("HTTP", names(mcp.seen()), ["keyed", "web"]),
    ...same("stdio", names(kept.stdioSeen()), ["local"]),
  ]);
  check("calls an allowed tool over HTTP and gets the result", [
    ...answered("web", "echo"),
    ...answered("keyed", "echo"),
  ]);
  check("sends the values of the token variables", [
    ...same("authorization", sent(mcp, "web", "authorization"), [
      `Bearer ${VALUES.FENZI_MCP_WEB}`,
    ]),
    ...same("x-api-key", sent(mcp, "keyed", "x-api-key"), [
      VALUES.FENZI_MCP_KEYED,
    ]),
  ]);
  check(
    "calls an allowed tool over stdio and gets the result",
    answered("local", "echo"),
  );
  if (adapter.patterns)
    check("calls what a pattern allows", answered("web", "read_open"));
  if (adapter.listsTools)
    check(
      "does not offer a denied tool",
      denied
        .map(([server, tool]) => name(server, tool))
        .filter((tool) => model.offered().includes(tool)),
    );
  const refused = [...denied, ["web", "ECHO"], ["web", "unlisted"]].map((c) =>
    c.join(" "),
  );
  check(
    "a denied or unlisted tool is not called when the model insists",
    called().filter((c) => refused.includes(c)),
  );
  check("the rogue files have no effect", kept.rogues());
  oddValues({ check, adapter, kept, mcp });

  // 2: a tool that wants an answer, and nobody to give it, on a server whose other tools are all allowed.
  await run(plan.launch, [call("keyed", "asked")]);
  check(
    "a tool that is to be asked about is not called without an answer",
    called().filter((c) => c === "keyed asked"),
  );
  check("the rogue files have no effect in a second run", kept.rogues());

  // 3: compiling over what the agent left.
  const again = await compile(kept, adapter.agent);
  check("compiles again after the agent has run, and changes nothing", [
    ...again.problems,
    ...(again.document?.agents?.[0]?.files ?? [])
      .filter(({ change }) => change !== "same")
      .map(({ path, change }) => `${path}: ${change}`),
  ]);

  // 4: the same file without the limits.
  kept.write(
    "fenzi.yaml",
    projectFile({ mcp, world: kept, adapter, all: true }),
  );
  const wide = await compile(kept, adapter.agent);
  if (wide.problems.length === 0)
    await run(wide.document.agents[0].launch, [call("web", "denied")]);
  check("with `tools: all` the denied tool is called: the checks can fail", [
    ...wide.problems,
    ...(called().includes("web denied") ? [] : ["it was not"]),
  ]);

  // 5: what cannot arrive.
  for (const kind of ["arg", "env", "header"])
    for (const key of adapter.refused[kind]) {
      kept.write("fenzi.yaml", refusedFile(kind, key));
      const { code, codes } = await compile(kept, adapter.agent, ["--dry-run"]);
      check(
        `refuses ${kind} ${key}, which would not arrive`,
        code === 1 && codes.includes("deliver/unescapable")
          ? []
          : [`exit ${code}, ${codes.join(", ")}`],
      );
    }
}

/** Starts the agent as a person would without Fenzi, until a rogue file shows. */
async function runBare({ adapter, model, world }) {
  const at = { home: world.home, project: world.project };
  adapter.trust({ folder: world.out, ...world });
  const { args, env } = adapter.bare({
    ...at,
    model: model.url,
    prompt: PROMPT,
  });
  model.play([{ text: "FINISHED" }]);
  const ended = await start({
    argv: [adapter.command, ...args],
    cwd: world.project,
    env: { ...world.env, ...env },
    enough: () => world.rogues().length > 0,
  });
  return world.rogues().length > 0
    ? []
    : [`no sign of one; exit ${ended.code}`, ended.stderr.slice(-500)];
}

const names = (seen) => [...new Set(seen.map(({ server }) => server))].sort();

/** Every value of a header that reached a server. */
const sent = (mcp, server, header) => [
  ...new Set(
    mcp
      .seen()
      .filter((request) => request.server === server)
      .map((request) => new Map(request.headers).get(header)),
  ),
];

function oddValues({ check, adapter, kept, mcp }) {
  const odd = given(adapter);
  const started = kept.stdioSeen().find((s) => s.started)?.started;
  check(
    "odd arguments arrive as written",
    odd.args.flatMap((key, i) => same(key, started?.args[i], texts[key])),
  );
  check(
    "odd environment values arrive as written",
    odd.env.flatMap((key) => same(key, started?.env[`ODD_${key}`], texts[key])),
  );
  check(
    "odd header values arrive as written",
    odd.headers.flatMap((key) =>
      same(key, sent(mcp, "web", `x-odd-${key.toLowerCase()}`), [headers[key]]),
    ),
  );
  check("references arrive", [
    ...same("in env", started?.env.REFERENCE, VALUES.REFERENCE),
    ...same("in a header", sent(mcp, "web", "x-reference"), [VALUES.REFERENCE]),
  ]);
  if (adapter.hidesKeys)
    check(
      "a local server does not get the agent's key and tokens",
      [MODEL_KEY, VALUES.FENZI_MCP_WEB, VALUES.FENZI_MCP_KEYED].filter(
        (value) => Object.values(started?.env ?? {}).includes(value),
      ),
    );
}
