// What is shown: the server and the client have every feature by themselves; with the gateway between, whose policy opens
// all tools and nothing else, exactly what the policy closes fails, and all the rest is as it was.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTally } from "../support/tally.mjs";
import { tryEverything } from "./everything.mjs";
import { readExpected } from "./expected.mjs";
import { startGateway } from "./gateway.mjs";
import { startReferenceServer } from "./server/reference-server.mjs";
import { runSuite } from "./suite.mjs";

const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];
const CLIENT = fileURLToPath(new URL("client/main.mjs", import.meta.url));

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
    await tryServer(world);
    await tryClient(world);
    await tryEverything(world);
  } catch (problem) {
    tally.check("runs to the end", [String(problem.stack)]);
  }
  return tally.end();
}

async function tryServer({ root, tally }) {
  const expected = readExpected("server");
  const list = join(root, "server-expected.yaml");
  writeFileSync(list, expected.suiteFile());
  const server = await startReferenceServer();
  const gateway = await startGateway({
    folder: join(root, "server"),
    url: server.url,
    tools: "all",
  });
  try {
    for (const revision of REVISIONS) {
      const suite = (url, name, ...more) =>
        runSuite(
          ["server", "--url", url, "--suite", "all"].concat(
            ["--spec-version", revision],
            more,
          ),
          join(root, `server ${revision} ${name}`),
        );
      const without = await suite(server.url, "without");
      tally.check(
        `server ${revision}: has every feature`,
        failures(without.checks),
      );
      const through = await suite(
        gateway.url,
        "through",
        "--expected-failures",
        list,
      );
      tally.check(
        `server ${revision}: the suite finds all failures expected`,
        through.code === 0 ? [] : [through.text.slice(-1000)],
      );
      for (const [scenario, checks] of without.checks)
        tally.check(
          `server ${revision}: ${scenario}`,
          expected.problemsOf(
            scenario,
            checks,
            through.checks.get(scenario) ?? [],
          ),
        );
    }
  } finally {
    await gateway.stop();
    await server.stop();
  }
  tally.check("server: nothing is listed in vain", expected.unused());
}

async function tryClient({ root, tally }) {
  const expected = readExpected("client");
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
