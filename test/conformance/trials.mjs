// What is shown: the servers and the client have every feature by themselves; with the gateway or the guard between, whose
// policy opens all tools and nothing else, exactly what the policy closes fails, and all the rest is as it was.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guardCommand } from "../support/guard-command.mjs";
import { makeTally } from "../support/tally.mjs";
import { tryEverything } from "./everything.mjs";
import { readExpected } from "./expected.mjs";
import { startGateway } from "./gateway.mjs";
import { startReferenceServer } from "./server/reference-server.mjs";
import { startShim } from "./shim.mjs";
import { runSuite } from "./suite.mjs";

const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];
const CLIENT = fileURLToPath(new URL("client/main.mjs", import.meta.url));
const STDIO_SERVER = fileURLToPath(
  new URL("server/stdio-server.mjs", import.meta.url),
);

/** Those that need no login: a server's tokens are Fenzi's business, not the client's. */
const CLIENT_SCENARIOS = {
  "2025-06-18": ["initialize", "tools_call"],
  "2025-11-25": [
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "json-schema-2020-12-preservation",
  ],
  "2026-07-28": [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
  ],
};

export async function runTrials(root) {
  const tally = makeTally();
  const world = { root, tally };
  try {
    // Two at a time, since each waits a lot.
    await Promise.all([
      tryServer(world, "gateway", remote).then(() => tryClient(world)),
      tryServer(world, "guard", local),
    ]);
    await tryEverything(world);
  } catch (problem) {
    tally.check("runs to the end", [String(problem.stack)]);
  }
  return tally.end();
}

/** A server over HTTP, and the gateway before it. */
async function remote(folder) {
  const server = await startReferenceServer();
  const gateway = await startGateway({ folder, url: server.url, tools: "all" });
  return [server, gateway];
}

/** A server over standard input and output, alone and with the guard before it, both made reachable over HTTP. */
async function local(folder) {
  const argv = [process.execPath, STDIO_SERVER];
  const guard = guardCommand({
    folder,
    name: "conformance",
    project: { mcp: { conformance: { command: argv, tools: "all" } } },
  });
  return [
    await startShim({ argv, cwd: folder, env: process.env }),
    await startShim(guard),
  ];
}

async function tryServer({ root, tally }, door, start) {
  const expected = readExpected("server", door);
  const list = join(root, `${door}-expected.yaml`);
  writeFileSync(list, expected.suiteFile());
  for (const revision of REVISIONS) {
    const title = `${door} ${revision}`;
    const [alone, between] = await start(join(root, title));
    try {
      const suite = (url, name, ...more) =>
        runSuite(
          ["server", "--url", url, "--suite", "all"].concat(
            ["--spec-version", revision],
            more,
          ),
          join(root, `${title} ${name}`),
        );
      const without = await suite(alone.url, "without");
      tally.check(`${title}: the server has every feature`, [
        ...failures(without.checks),
        ...(without.code === 0 ? [] : [without.text.slice(-500)]),
      ]);
      const through = await suite(
        between.url,
        "through",
        "--expected-failures",
        list,
      );
      tally.check(
        `${title}: the suite finds all failures expected`,
        through.code === 0 ? [] : [through.text.slice(-1000)],
      );
      for (const [scenario, checks] of without.checks)
        tally.check(
          `${title}: ${scenario}`,
          expected.problemsOf(
            scenario,
            checks,
            through.checks.get(scenario) ?? [],
          ),
        );
    } finally {
      await between.stop();
      await alone.stop();
    }
  }
  tally.check(`${door}: nothing is listed in vain`, expected.unused());
}

async function tryClient({ root, tally }) {
  const expected = readExpected("client", "gateway");
  const words = (...parts) => parts.map((part) => `'${part}'`).join(" ");
  for (const revision of REVISIONS)
    for (const scenario of CLIENT_SCENARIOS[revision]) {
      const suite = (name, env) =>
        runSuite(
          ["client", "--command", words(process.execPath, CLIENT)].concat(
            ["--scenario", scenario],
            ["--spec-version", revision],
          ),
          join(root, `client ${revision} ${name}`),
          env,
        );
      const without = await suite("without", {});
      const through = await suite("through", {
        THROUGH_GATEWAY: join(root, `client ${revision} ${scenario}`),
      });
      const [before, after] = [without, through].map(
        ({ checks }) => checks.get(scenario) ?? [],
      );
      tally.check(`client ${revision}: ${scenario}`, [
        ...failures(without.checks),
        ...(without.code === 0 ? [] : [without.text.slice(-500)]),
        ...expected.problemsOf(scenario, before, after),
      ]);
    }
  tally.check("client: nothing is listed in vain", expected.unused());
}

const failures = (checks) =>
  [...checks].flatMap(([scenario, list]) =>
    list
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`),
  );
