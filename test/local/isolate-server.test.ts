// What a container engine and bubblewrap are started with. The engine is a program on PATH that writes down how it was
// called; what real ones make of it is `npm run test:isolation`.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isolateServer } from "../../src/local/isolate-server.ts";
import { planServer } from "../../src/local/plan-server.ts";
import { loadProject } from "../../src/compile.ts";
import { launchServer } from "../../src/guard/launch-server.ts";
import { testHost } from "../support/test-host.ts";

const RECORDER = `#!/bin/sh
case "$1" in
  ps) echo "fenzi-999999999-abc123"; echo "somebody-elses" ;;
  run) cat >/dev/null ;;
esac
{ for word in "$@"; do printf '%s\\n' "$word"; done; echo "--"; } >>"$HOME/calls"
env | sed 's/=.*//' | sort >"$HOME/names-$1"
`;

/** Starts and ends `probe` of a project with this entry; `programs` are recorders on its PATH. */
async function started(
  entry: string,
  programs: readonly string[],
  env: Readonly<Record<string, string>> = {},
  recorder = RECORDER,
  platform: NodeJS.Platform = process.platform,
) {
  const first = testHost({
    project: {
      "fenzi.yaml": `version: 1\nmcp:\n  probe: ${entry}\n`,
      "data, old/a.txt": "a",
      ".env": "A=1",
    },
  });
  const bin = join(first.root, "bin");
  mkdirSync(bin);
  for (const name of programs) {
    writeFileSync(join(bin, name), recorder);
    chmodSync(join(bin, name), 0o755);
  }
  const host = {
    ...testHost({
      root: first.root,
      env: { ...env, HOME: first.home, PATH: `${bin}:/usr/bin:/bin` },
    }),
    platform,
  };
  const { model, diagnostics } = loadProject(host);
  const [server] = model?.servers ?? [];
  if (model === null || server?.transport.kind !== "stdio")
    throw new Error(JSON.stringify(diagnostics));
  const local = { ...server, transport: server.transport };
  const planned = planServer(host, model, local);
  if ("problems" in planned) throw new Error(JSON.stringify(planned.problems));
  const isolated = await isolateServer(
    host,
    model,
    local,
    planned.value,
    () => true,
  );
  const shown = (text: string) =>
    text
      .replaceAll(host.root, "")
      .replaceAll(/fenzi-\d+-[0-9a-f]{12}/g, "NAME")
      .replaceAll(/fenzi=[0-9a-f]{16}/g, "fenzi=MACHINE")
      .replaceAll(`${host.uid}:${process.getgid?.()}`, "USER");
  return {
    isolated,
    home: first.home,
    /** Each call as its words. */
    calls: () =>
      shown(readFileSync(join(first.home, "calls"), "utf8"))
        .split("--\n")
        .map((call) => call.trim().split("\n")),
    names: () =>
      readFileSync(join(first.home, "names-run"), "utf8").trim().split("\n"),
  };
}

test("a container gets no right, no network, no file but its own, and values of variables by name only", async () => {
  const world = await started(
    '{ command: [serve, --quiet], isolation: { image: "mcp/files:1" }, env: { KEY: "${KEY}", MODE: ro }, paths: { read: ["**"], write: ["data, old/**"] } }',
    ["docker", "podman"],
    { KEY: "value-of-the-key" },
  );
  if ("problems" in world.isolated)
    throw new Error(JSON.stringify(world.isolated.problems));
  const running = launchServer(world.isolated.plan);
  await running.stop();
  const [listed, removedOld, run, removed] = world.calls();
  expect(listed?.slice(0, 2)).toEqual(["ps", "--all"]);
  // Of those that are left over only ours, whose process is gone.
  expect(removedOld).toEqual(["rm", "--force", "fenzi-999999999-abc123"]);
  expect(run).toEqual([
    "run",
    "--rm",
    "--interactive",
    "--name",
    "NAME",
    "--label",
    "fenzi=MACHINE",
    "--stop-timeout",
    "1",
    "--log-driver",
    "none",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--network",
    "none",
    "--pids-limit",
    "512",
    "--memory",
    "2g",
    "--user",
    "USER",
    "--read-only",
    "--tmpfs",
    "/tmp",
    "--mount",
    "type=bind,source=/project,target=/project,readonly",
    "--mount",
    'type=bind,"source=/project/data, old","target=/project/data, old"',
    "--mount",
    "type=bind,source=/dev/null,target=/project/.env,readonly",
    "--workdir",
    "/project",
    "--env",
    "KEY",
    "--env",
    "MODE",
    "--entrypoint",
    "serve",
    "mcp/files:1",
    "--quiet",
  ]);
  expect(removed).toEqual(["rm", "--force", "NAME"]);
  expect(world.names()).toEqual(
    expect.arrayContaining(["HOME", "KEY", "MODE", "PATH"]),
  );
  expect(readFileSync(join(world.home, "calls"), "utf8")).not.toContain(
    "value-of-the-key",
  );
});

test("Podman takes it where Docker is not, and files of the image may be changed when the file says so", async () => {
  const world = await started(
    "{ command: [serve], isolation: { image: mcp/files, readOnly: false } }",
    ["podman"],
  );
  if ("problems" in world.isolated) throw new Error("problems");
  await launchServer(world.isolated.plan).stop();
  const run = world.calls().find(([word]) => word === "run") ?? [];
  expect(run).not.toContain("--read-only");
  expect(run.includes("keep-id")).toBe(process.getuid?.() !== 0);
});

test.each(["LD_PRELOAD", "PATH", "DOCKER_HOST", "HTTPS_PROXY"])(
  "a variable that the engine would take for its own is refused: %s",
  async (name) => {
    const { isolated } = await started(
      `{ command: [serve], isolation: { image: mcp/files }, env: { ${name}: x } }`,
      ["docker"],
    );
    expect("problems" in isolated && isolated.problems[0]?.code).toBe(
      "isolation/variable",
    );
  },
);

test("an engine that does not answer runs nothing", async () => {
  const { isolated } = await started(
    "{ command: [serve], isolation: { image: mcp/files, network: hosts }, hosts: { allow: [a.example] } }",
    ["podman"],
    {},
    "#!/bin/sh\nexit 125\n",
  );
  expect("problems" in isolated && isolated.problems[0]?.code).toBe(
    "isolation/failed",
  );
});

test("bubblewrap is given no value of a variable, and obeys none", async () => {
  const { isolated } = await started(
    '{ command: [/bin/true], isolation: bubblewrap, env: { KEY: "${KEY}", LD_PRELOAD: /x.so } }',
    ["bwrap"],
    { KEY: "value-of-the-key" },
  );
  if ("problems" in isolated)
    throw new Error(JSON.stringify(isolated.problems));
  const { argv, env } = isolated.plan;
  expect(argv.join(" ")).not.toContain("value-of-the-key");
  expect(
    Object.keys(env).filter((name) => !name.startsWith("FENZI_V_")),
  ).toEqual([]);
  expect(env["FENZI_V_KEY"]).toBe("value-of-the-key");
  for (const flag of [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--remount-ro",
    "--seccomp",
  ])
    expect(argv).toContain(flag);
  expect(argv).not.toContain("--share-net");
  await isolated.plan.release?.();
});

test("bubblewrap is for Linux, and elsewhere the server is not started", async () => {
  const { isolated } = await started(
    "{ command: [/bin/true], isolation: bubblewrap }",
    ["bwrap"],
    {},
    RECORDER,
    "darwin",
  );
  expect("problems" in isolated && isolated.problems[0]?.code).toBe(
    "isolation/system",
  );
});
