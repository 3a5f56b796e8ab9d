// A local server that means harm, behind the built guard: each attack stays where it is, the agent's other calls go on,
// and the log has a line of it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  guardWorlds,
  lives,
  waitFor,
  type GuardedServer,
} from "../support/guard-world.ts";

const SERVER = fileURLToPath(
  new URL("../guard/hostile-server.mjs", import.meta.url),
);
const TOKEN = "tok-9f27c1d48ab04e6f93d2";
const MIB = 1024 * 1024;

const worlds = guardWorlds();
beforeAll(() => worlds.build(), 120_000);
afterAll(() => worlds.end());

interface Hostile extends GuardedServer {
  readonly folder: string;
  note(name: string): string;
}

/** The guard before it, after the opening. */
async function openHostile({
  mode = "tools",
  tools = "all" as unknown,
  limits = {},
  ...rules
}: {
  mode?: string;
  tools?: unknown;
  limits?: object;
  [key: string]: unknown;
} = {}): Promise<Hostile> {
  const folder = worlds.folder();
  const notes = join(folder, "notes");
  const hostile = {
    command: [process.execPath, SERVER, notes, mode],
    env: { API_TOKEN: "${API_TOKEN}" },
    limits: { call: "5s", response: "1MiB", ...limits },
    tools,
    ...rules,
  };
  const server = worlds.open({
    folder,
    name: "hostile",
    project: { mcp: { hostile } },
    env: { API_TOKEN: TOKEN, AWS_SECRET_ACCESS_KEY: "not-for-servers" },
  });
  await server.initialize({ sampling: {}, elicitation: {}, roots: {} });
  return {
    ...server,
    folder,
    note: (name) => {
      const path = join(notes, name);
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
  };
}

const textsOf = ({ result }: { result?: { content: { text: string }[] } }) =>
  result?.content.map(({ text }) => text);

/** It still answers, and everything that it ever said is a message for which somebody waits. */
async function expectSound(server: Hostile): Promise<void> {
  expect(textsOf(await server.call("echo", { text: "sound" }))).toEqual([
    "sound",
  ]);
  for (const line of server.lines) {
    expect(line.includes("\r")).toBe(false);
    const message = JSON.parse(line) as Record<string, unknown>;
    expect(message["jsonrpc"]).toBe("2.0");
  }
  const answered = server.lines
    .map((line) => JSON.parse(line) as { id?: unknown })
    .flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(answered).toEqual([...new Set(answered)]);
}

const expectLogged = (server: Hostile, row: object): Promise<void> =>
  waitFor(() =>
    expect(server.log()).toContainEqual(expect.objectContaining(row)),
  );

test("sees nothing of the guard's environment", async () => {
  const server = await openHostile();
  const answer = await server.call("read_files", { paths: [] });
  const env = JSON.parse(textsOf(answer)?.[0] ?? "") as object;
  expect(Object.keys(env).sort()).toEqual(
    expect.arrayContaining(["API_TOKEN", "HOME", "PATH"]),
  );
  expect(answer.line).not.toContain("not-for-servers");
  expect(Object.keys(env).filter((name) => /FENZI|AWS/.test(name))).toEqual([]);
  await expectSound(server);
});

test("floods its output: what is no message is dropped, and counted", async () => {
  const server = await openHostile();
  await server.call("flood_output", { text: "after" });
  await expectSound(server);
  expect(server.lines.length).toBeLessThan(10);
  await expectLogged(server, {
    rule: "noise",
    reason: "no message: Listening on port 0!",
  });
  expect((await server.close()).code).toBe(0);
  await expectLogged(server, {
    rule: "noise",
    reason: expect.stringMatching(/^\d+ more of these were left out$/),
  });
  expect(server.log().length).toBeLessThan(500);
});

test("floods its error stream: nobody waits, and the log stays small", async () => {
  const server = await openHostile();
  const answer = await server.call("flood_errors", { text: "after" });
  expect(textsOf(answer)).toEqual(["after"]);
  await expectSound(server);
  await expectLogged(server, {
    rule: "stderr",
    reason: expect.stringMatching(/^the server says: e+…?$/),
  });
  await server.close();
  expect(server.log().length).toBeLessThan(500);
  expect(server.errors().length).toBeLessThan(10_000);
});

test("a line without an end is not kept, and the next one is read", async () => {
  const server = await openHostile();
  const before = memoryOf(server.pid);
  const answer = await server.call("endless_line", { text: "after" });
  expect(answer.line).toMatch(/after|larger than `limits.response`/);
  await expectSound(server);
  expect(memoryOf(server.pid) - before).toBeLessThan(48);
  await expectLogged(server, { rule: "limits.response" });
});

test("an answer that is too large is an answer that says so", async () => {
  const server = await openHostile();
  const answer = await server.call("endless_answer");
  expect(answer.result.isError).toBe(true);
  expect(answer.line).toContain("limits.response");
  await expectSound(server);
  await expectLogged(server, {
    rule: "limits.response",
    tool: "endless_answer",
  });
});

test("answers twice: the first counts", async () => {
  const server = await openHostile();
  expect(textsOf(await server.call("answer_twice"))).toEqual(["first"]);
  await expectSound(server);
  expect(server.lines.join()).not.toContain("second");
  await expectLogged(server, { effect: "deny", rule: "unrequested" });
});

test("answers what nobody asked: only its own answer comes through", async () => {
  const server = await openHostile();
  expect(textsOf(await server.call("answer_another"))).toEqual(["mine"]);
  await expectSound(server);
  expect(server.lines.join()).not.toMatch(
    /never asked|another kind|nobody|batch/,
  );
  await expectLogged(server, { effect: "deny", rule: "unrequested" });
});

test("never answers: the call ends at its limit", async () => {
  const server = await openHostile({ limits: { call: "1s" } });
  const answer = await server.call("answer_nothing");
  expect(answer.result.isError).toBe(true);
  expect(answer.line).toContain("`limits.call`");
  await expectSound(server);
});

test("a list in an answer to a call opens nothing", async () => {
  const server = await openHostile({
    tools: { allow: "all", deny: ["hidden_tool"] },
  });
  await server.call("answer_with_list");
  expect((await server.call("hidden_tool")).result.isError).toBe(true);
  expect(server.note("received")).not.toContain("hidden_tool");
  await expectLogged(server, { effect: "deny", tool: "hidden_tool" });
});

test("asks the model, the person and for folders: nobody is asked", async () => {
  const server = await openHostile();
  const answer = await server.call("ask_back");
  const [sampling, elicitation, roots, ping] = JSON.parse(
    textsOf(answer)?.[0] ?? "",
  ) as { code?: number; action?: string; roots?: unknown[] }[];
  expect(sampling).toHaveProperty("code");
  expect(elicitation?.action ?? elicitation?.code).not.toBe("accept");
  expect(roots?.roots ?? []).toEqual([]);
  expect(ping).toEqual({});
  expect(server.lines.join()).not.toMatch(/"method":"(?:sampling|elici|roots)/);
  expect(server.note("received")).not.toMatch(
    /"(?:sampling|elicitation)":\{\}/,
  );
  await expectSound(server);
  for (const method of ["sampling/createMessage", "elicitation/create"])
    await expectLogged(server, { effect: "deny", method });
});

test.each(["plain", "header", "base64", "url"])(
  "gives its token away in the form `%s`: it does not come through",
  async (how) => {
    const server = await openHostile();
    const { line } = await server.ask("tools/call", {
      name: "leak",
      arguments: { how },
      _meta: { progressToken: "p" },
    });
    expect(line).toContain('"content"');
    await server.until((each) => each.includes("notifications/progress"));
    await expectSound(server);
    await expectLogged(server, {
      rule: "stderr",
      reason: expect.stringContaining("the server says: using "),
    });
    await server.close();
    for (const said of [
      ...server.lines,
      server.errors(),
      JSON.stringify(server.log()),
    ]) {
      expect(said).not.toContain(TOKEN);
      expect(said).not.toContain(Buffer.from(TOKEN).toString("base64"));
    }
    // Nor does anything that steers a terminal.
    expect(
      server
        .log()
        .map(({ reason }) => reason)
        .join(),
    ).not.toMatch(
      // oxlint-disable-next-line no-control-regex
      /[\u0000-\u001f\u007f-\u009f]/,
    );
  },
);

test("fails with its token in the words: they come without it", async () => {
  const server = await openHostile();
  const { line } = await server.call("leak_error");
  expect(line).toContain("failed with ");
  expect(line).not.toContain(TOKEN);
  await expectSound(server);
});

test("ends at no signal and leaves a child that does not either: both are ended", async () => {
  const server = await openHostile();
  await server.call("fork", { text: "forked" });
  const pids = [server.note("pid"), server.note("child")].map(Number);
  expect(pids.map(lives)).toEqual([true, true]);
  const began = Date.now();
  expect((await server.close()).code).toBe(0);
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(pids.map(lives)).toEqual([false, false]);
});

test("ends by itself in the middle of a call: the call fails, and its child is ended", async () => {
  const server = await openHostile();
  await server.call("fork", { text: "forked" });
  const answer = await server.call("end");
  expect(answer.result.isError).toBe(true);
  expect(answer.line).toContain("exit code 7");
  expect((await server.exited).code).toBe(3);
  expect(server.errors()).toContain("exit code 7");
  expect(lives(Number(server.note("child")))).toBe(false);
});

test("the guard is killed: the server is not left behind", async () => {
  const server = await openHostile();
  server.kill("SIGKILL");
  await server.exited;
  await waitFor(() => expect(lives(Number(server.note("pid")))).toBe(false));
});

test("lists one name twice: neither is offered, and it cannot be called", async () => {
  const server = await openHostile({ mode: "double" });
  const { result } = await server.ask("tools/list");
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  expect(names).not.toContain("echo");
  expect((await server.call("echo", { text: "x" })).result.isError).toBe(true);
});

test("a description of 5 MiB is more than an answer may have", async () => {
  const server = await openHostile({ mode: "large" });
  const { error, line } = await server.ask("tools/list");
  expect(line.length).toBeLessThan(10_000);
  expect(error?.message).toContain("limits.response");
  await expectSound(server);
  await expectLogged(server, { rule: "limits.response", method: "tools/list" });
});

test("a denied tool never reaches it, in whatever form", async () => {
  const server = await openHostile({ tools: { allow: ["echo"] } });
  for (const name of ["read_files", "Echo", "echo ", "echo\u200b", "ｅcho"])
    expect((await server.call(name)).result.isError).toBe(true);
  await expectSound(server);
  expect(server.note("received").match(/"tools\/call"/g)).toHaveLength(1);
});

/** MiB of resident memory at its highest. */
const memoryOf = (pid: number): number =>
  Number(
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1],
  ) /
  (MIB / 1024);
