// What is shown for one agent after `fenzi apply`, started as a person starts it in the project, without a sandbox: what is
// allowed passes, a refusal reaches the model with its reason, no token leaves the guard, and nothing stays behind.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { same } from "../support/tally.mjs";
import { MODEL_KEY, PROMPT } from "./agent-run.mjs";
import {
  differences,
  listProblems,
  logProblems,
  othersIn,
  passes,
  says,
} from "./apply-checks.mjs";
import { contentsOf, GRANDCHILD, writeProject } from "./apply-project.mjs";
import { environmentsWith, filesWith, processesWith } from "./find-secret.mjs";
import { startKeychain } from "./keychain.mjs";
import { NEVER_ANSWERS, TELLS_HEADERS } from "./mcp-http-server.mjs";
import { start } from "./start.mjs";
import { makeWorld } from "./world.mjs";

const CLI = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const TOKEN = "s3cr3t-of-web-77d2e0";
const SERVERS = ["local", "slow", "web"];
const PATIENCE = 60_000;

export async function runApplyTrials({
  adapter,
  executable,
  model,
  mcp,
  root,
  tally,
}) {
  const { agent } = adapter;
  const check = (name, problems) =>
    tally.check(`${agent} after apply: ${name}`, problems);
  mcp.forget();
  const world = makeWorld({
    root: mkdtempSync(join(root, "apply ")),
    mcp,
    adapter,
    executable,
    peaceful: true,
  });
  symlinkSync(CLI, join(world.bin, "fenzi"));
  const keychain = await startKeychain(join(world.root, "keychain"), world.env);
  try {
    const env = {
      ...world.env,
      ...(keychain?.env ?? vaultVariables(mcp)),
      // Where it keeps its state is told by a variable: an agent that hands on only some has to hand on this one.
      XDG_STATE_HOME: join(world.root, "state"),
      REFERENCE: "from the caller",
    };
    await runWith({ adapter, model, mcp, world, env, check, keychain });
  } finally {
    keychain?.stop();
  }
}

const vaultVariables = (mcp) => ({
  FENZI_VAULT_WEB: TOKEN,
  FENZI_VAULT_WEB_URL: `${mcp.url}/web`,
});

async function runWith({ adapter, model, mcp, world, env, check, keychain }) {
  const { home, project } = world;
  const fenzi = (words, input) =>
    start({ argv: ["fenzi", ...words], cwd: project, env, input });
  const well = async (name, ...how) => {
    const { code, stdout, stderr } = await fenzi(...how);
    check(name, code === 0 ? [] : [`exit ${code}`, stdout, stderr]);
  };
  const rows = async () =>
    (await fenzi(["logs", "--json"])).stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const name = (server, tool) => adapter.toolName(server, tool);
  const call = (server, tool, args = {}) => ({
    calls: [{ name: name(server, tool), args: { text: "over", ...args } }],
  });

  const files = writeProject(world, mcp.url);
  adapter.ownServer({ home, url: `${mcp.url}/mine` });
  const bare = adapter.bare({
    home,
    project,
    model: model.url,
    prompt: PROMPT,
  });
  let earlier = 0;
  /** What the stdio servers wrote down in this run. */
  const stdio = () => world.stdioSeen().slice(earlier);
  /** Every server was asked for its tools, or there was time enough for it. */
  const listed = () =>
    until(
      () =>
        ["local", "slow", "web"].every((server) =>
          [...mcp.seen(), ...stdio()].some(
            (s) => s.server === server && s.rpc === "tools/list",
          ),
        ),
      5000,
    );
  const run = (script, how = {}) => {
    earlier = world.stdioSeen().length;
    mcp.forget();
    model.play([...script, { text: "FINISHED" }]);
    return start({
      argv: [adapter.command, ...bare.args],
      cwd: project,
      ...how,
      env: { ...env, ...bare.env, ...how.env },
    });
  };
  const asPeopleLeftIt = contentsOf(project);
  await well("`fenzi trust` is answered", ["trust", "--yes"]);
  if (keychain !== null)
    await well(
      "the keychain takes the token",
      ["mcp", "token", "web", "--stdin"],
      TOKEN,
    );
  await well("applies", ["apply"]);
  await well("`--check` finds what was written", ["apply", "--check"]);
  const applied = contentsOf(project);

  // 1: before the person has told the agent that the folder is trusted.
  await run([{ ...call("local", "echo"), before: once(listed) }]);
  const [early] = model.results();
  check(
    "does what is known of it in a folder that it does not trust yet",
    same(
      "what it does",
      {
        starts: stdio().length > 0,
        calls: passes(early.output, "local", "echo").length === 0,
      },
      adapter.untrusted,
    ),
  );
  await leavesNothing(check, home, "a run");

  // 2: what a person sees who has trusted it.
  adapter.trust({ folder: world.out, ...world });
  if (adapter.approved !== undefined) {
    const { args, says: shown } = adapter.approved;
    const { stdout } = await run([], { argv: [adapter.command, ...args] });
    check(
      "has our servers approved, and no other of the project",
      same(
        "approved",
        [...SERVERS, "other"].filter((server) => shown(server).test(stdout)),
        SERVERS,
      ),
    );
  }
  let processes = [];
  let environments = [];
  const look = async () => {
    processes = oursIn(home);
    environments = environmentsWith(`HOME=${home}`, process.pid);
  };
  const revoke = async () => {
    files.revoke();
    await until(async () =>
      (await rows()).some((r) => r.rule === "reload" && r.server === "web"),
    );
  };
  const script = [
    { ...call("local", "echo"), before: once(listed) },
    { ...call("web", "echo"), before: once(look) },
    call("local", "read_file", { path: "notes/today.txt" }),
    call("local", "read_file", { path: "drafts/secret.txt" }),
    call("local", "read_file", { path: "notes/../../../etc/passwd" }),
    call("web", "read_file", { path: "~/.ssh/id_ed25519" }),
    call("web", TELLS_HEADERS),
    call("web", "revoked"),
    { ...call("web", "revoked"), before: once(revoke) },
    call("slow", NEVER_ANSWERS),
    ...(adapter.listsTools ? [] : [adapter.searchTools]),
    call("web", "Delete_All"),
    call("local", "hidden"),
  ];
  const ended = await run(script);
  const [echo, web, inside, outside, above, secret, told, before, after, slow] =
    model.results().map(({ output }) => output);
  const [found, , hidden] = model
    .results()
    .slice(-3)
    .map((r) => r.output);
  files.restore();
  check(
    "runs",
    ended.code === 0 && model.turns() > script.length
      ? []
      : [
          `exit ${ended.code}, ${model.turns()} turns`,
          ended.stdout.slice(-800),
          ended.stderr.slice(-800),
        ],
  );
  check(
    "only what is allowed is in its list",
    listProblems(
      adapter.listsTools
        ? model.offered()
        : [...found.matchAll(/\w+__\w+/g)].map(([tool]) => tool),
      name,
    ),
  );
  check("allowed calls pass, local and remote", [
    ...passes(echo, "local", "echo"),
    ...passes(web, "web", "echo"),
    ...passes(inside, "local", "read_file"),
    ...passes(before, "web", "revoked"),
  ]);
  check("a refused tool comes back with its reason", [
    ...says(after, ["policy_denied", "`revoked` of `web`", "tools.deny"]),
    ...says(hidden, adapter.unknownTool),
  ]);
  check("a refused path comes back with its reason", [
    ...says(outside, ["policy_denied", "`read_file` of `local`", "notes/**"]),
    ...says(above, ["policy_denied", "`read_file` of `local`"]),
    ...says(secret, ["policy_denied", "`read_file` of `web`"]),
  ]);
  check(
    "waits longer than the guard, which says that a call took too long",
    says(slow, ["limits.call"]),
  );
  check(
    "the servers saw exactly the calls that passed",
    same(
      "calls",
      [
        ...mcp.seen().flatMap((s) => (s.tool ? [`${s.server} ${s.tool}`] : [])),
        ...stdio().flatMap((s) => (s.tool ? [`${s.server} ${s.tool}`] : [])),
      ],
      [
        "web echo",
        `web ${TELLS_HEADERS}`,
        "web revoked",
        "local echo",
        "local read_file",
        `slow ${NEVER_ANSWERS}`,
      ],
    ),
  );
  check("the token is on every request to its server, and nowhere else", [
    ...mcp
      .seen()
      .filter(({ server }) => server === "web")
      .flatMap(({ rpc, headers }) =>
        same(
          `the token of ${rpc}`,
          new Map(headers).get("authorization"),
          `Bearer ${TOKEN}`,
        ),
      ),
    ...(told.includes(`${TELLS_HEADERS} {`) ? [] : [`it told ${told}`]),
    ...[
      // Without a keychain it is in the environment of whoever starts the agent.
      ["an environment", keychain === null ? "" : environments.join("\n")],
      ["what it sent to the model", model.heard()],
      ["what it said", ended.stdout + ended.stderr],
    ].flatMap(([where, text]) => (text.includes(TOKEN) ? [`in ${where}`] : [])),
    ...filesWith(world.root, [TOKEN]),
  ]);
  const given =
    stdio().find((s) => s.server === "local" && s.started)?.started.env ?? {};
  check("a local server gets `env` and nothing else of the agent's", [
    ...same("REFERENCE", given.REFERENCE, env.REFERENCE),
    ...[MODEL_KEY, TOKEN, ...Object.values(keychain?.env ?? {})].filter((v) =>
      Object.values(given).includes(v),
    ),
  ]);
  check("the log has a row for each call", logProblems(await rows()));
  check(
    "loads the user's other servers beside ours",
    same("others", othersIn(mcp), adapter.loads),
  );
  check(
    "each server stands behind a guard, with a child of its own",
    [...SERVERS.map((s) => `guard ${s}`), "local echo", GRANDCHILD].filter(
      (words) => !processes.some((p) => p.includes(words)),
    ),
  );
  await leavesNothing(check, home, "its exit");

  // 3: `--only`, and the agent is killed in the middle of a call.
  await well("applies `--only`", ["apply", "--only"]);
  let reached = false;
  const mark = async () => {
    reached = true;
    await look();
  };
  await run(
    [
      { ...call("web", "echo"), before: once(listed) },
      { ...call("web", "echo"), before: mark },
      ...Array.from({ length: 50 }, () => call("slow", NEVER_ANSWERS)),
    ],
    { enough: () => reached, alone: true },
  );
  check("with `--only` it has ours and what no file can switch off", [
    ...passes(model.results()[0].output, "web", "echo"),
    ...same("others", othersIn(mcp), adapter.keepsUnderOnly),
  ]);
  check(
    "guards were there when it was killed",
    SERVERS.filter((s) => !processes.some((p) => p.includes(`guard ${s}`))),
  );
  await leavesNothing(check, home, "it is killed");

  // 4: no `fenzi` on the PATH.
  rmSync(join(world.bin, "fenzi"));
  const without = await run([{ text: "nothing to do" }]);
  check(
    adapter.requiresServers
      ? "does not start without `fenzi`, and says which servers are missing"
      : "goes on without `fenzi`, and without our tools",
    adapter.requiresServers
      ? [
          ...same("the exit status", without.code, 1),
          ...SERVERS.filter((s) => !without.stderr.includes(s)),
        ]
      : [
          ...same("the exit status", without.code, 0),
          ...model.offered().filter((tool) => /local|web__?echo/.test(tool)),
        ],
  );
  symlinkSync(CLI, join(world.bin, "fenzi"));

  // 5: out again.
  await well("applies over `--only`", ["apply"]);
  check(
    "the agent has not changed the files",
    differences(contentsOf(project), applied),
  );
  await well("reverts", ["apply", "--revert"]);
  check(
    "`--revert` leaves every byte as it was",
    differences(contentsOf(project), asPeopleLeftIt),
  );
}

/** Only in the first request that comes to this turn. */
function once(act) {
  let done;
  return () => (done ??= act());
}

async function until(isTrue, milliseconds = PATIENCE) {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (await isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** Command lines of what Fenzi starts: guards, servers and their children. */
const oursIn = (home) =>
  processesWith(`HOME=${home}`)
    .map(({ words }) => words)
    .filter((words) =>
      [" guard ", "mcp-stdio-server", GRANDCHILD].some((w) =>
        words.includes(w),
      ),
    );

async function leavesNothing(check, home, event) {
  await until(() => oursIn(home).length === 0, 15_000);
  check(`nothing of ours is left after ${event}`, oursIn(home));
}
