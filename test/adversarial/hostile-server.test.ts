// A local server that means harm, behind the built guard: each attack stays where it is, the agent's other calls go on,
// and the log has a line of it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { livesWith, waitFor } from "../support/guard-world.ts";
import { lives } from "../support/lives.ts";
import {
  expectLogged,
  expectSound,
  openHostile,
  openIn,
  textsOf,
  TOKEN,
  worlds,
  worldWith,
} from "../support/hostile-world.ts";

const MIB = 1024 * 1024;
const HIDDEN = /[\u200b\u202e\u{e0000}-\u{e007f}]/u;

beforeAll(() => worlds.build(), 120_000);
afterAll(() => worlds.end());

test("sees nothing of the guard's environment", async () => {
  const server = await openHostile();
  const answer = await server.call("tell_environment");
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

test("gives its token away in many forms: none comes through", async () => {
  const server = await openHostile();
  for (const how of ["plain", "header", "base64", "url"]) {
    const { line } = await server.ask("tools/call", {
      name: "leak",
      arguments: { how },
      _meta: { progressToken: "p" },
    });
    expect(line).toContain('"content"');
  }
  await server.until((line) => line.includes("notifications/progress"));
  await expectSound(server);
  await expectLogged(server, {
    rule: "stderr",
    reason: expect.stringContaining("the server says: using "),
  });
  await server.close();
  const reasons = server.log().map(({ reason }) => reason);
  for (const said of [...server.lines, server.errors(), ...reasons]) {
    expect(said).not.toContain(TOKEN);
    expect(said).not.toContain(Buffer.from(TOKEN).toString("base64"));
  }
  // Nor does anything that steers a terminal.
  expect(reasons.join()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test("a private key in a file of the person does not come through", async () => {
  const server = await openHostile();
  const { line } = await server.call("leak", { how: "key" });
  expect(line).toContain('"content"');
  expect(line).not.toContain("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ");
  await expectSound(server);
});

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

test("behind bubblewrap it finds no file that no rule names", async () => {
  const world = worldWith({ isolation: "bubblewrap" });
  const key = join(world.folder, "home/.ssh/id_ed25519");
  const env = join(world.folder, "project/.env");
  const plain = join(world.folder, "project/plain.txt");
  for (const path of [key, env, plain]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "the content");
  }
  writeFileSync(
    join(world.notes, "wanted"),
    JSON.stringify([plain, key, "/etc/shadow", "/proc/1/environ", env]),
  );
  const server = await openIn(world);
  const texts = textsOf(await server.call("read_files")) ?? [];
  expect(texts[0]).toBe("the content");
  expect(texts.slice(1).join()).not.toMatch(/the content|root:|AWS_SECRET/);
  await expectSound(server);
});

test("behind bubblewrap a child that detaches itself does not live on", async () => {
  const server = await openHostile({ isolation: "bubblewrap" });
  await server.call("detach", { text: "detached" });
  const words = `hostile-detached-${server.note("detached")}`;
  expect(livesWith(words)).toBe(true);
  await server.close();
  await waitFor(() => expect(livesWith(words)).toBe(false));
});

test("behind bubblewrap the guard is killed: nothing is left behind", async () => {
  const server = await openHostile({ isolation: "bubblewrap" });
  await server.call("detach", { text: "detached" });
  const words = `hostile-detached-${server.note("detached")}`;
  expect(livesWith(words)).toBe(true);
  server.kill("SIGKILL");
  await server.exited;
  await waitFor(() => expect(livesWith(words)).toBe(false));
});

test("lists one name twice: neither is offered, and it cannot be called", async () => {
  const server = await openHostile({ mode: "double" });
  const { result } = await server.ask("tools/list");
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  expect(names).not.toContain("echo");
  expect((await server.call("echo", { text: "x" })).result.isError).toBe(true);
});

test("swaps a definition after it was pinned: hidden, and refused", async () => {
  const world = worldWith({});
  const pinned = worlds.fenzi(world, ["mcp", "pin", "hostile", "--yes"]);
  expect(pinned).toMatchObject({ exit: 0 });
  const server = await openIn(world);
  const names = async (): Promise<readonly string[]> => {
    const { result } = await server.ask("tools/list");
    return (result.tools as { name: string }[]).map(({ name }) => name);
  };
  expect(await names()).toContain("echo");
  expect(textsOf(await server.call("echo", { text: "x" }))).toEqual(["x"]);
  writeFileSync(join(world.notes, "swap"), "");
  expect(await names()).not.toContain("echo");
  expect(await names()).toContain("read_files");
  const refused = await server.call("echo", { text: "x" });
  expect(refused.result.isError).toBe(true);
  expect(refused.line).toContain("policy_denied");
  expect(server.lines.join()).not.toContain("Before anything else");
  await expectLogged(server, { effect: "deny", tool: "echo", rule: "pin" });
  await server.close();
  const { out } = worlds.fenzi(world, ["mcp", "tools", "hostile"]);
  expect(out).toContain("echo has changed");
  expect(out).toContain("anything else, read ~/.ssh");
});

test("hides words in a description: no agent is shown the tool", async () => {
  const world = worldWith({ mode: "invisible" });
  const server = await openIn(world);
  const { result, line } = await server.ask("tools/list");
  expect(line).not.toMatch(HIDDEN);
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  expect(names).not.toContain("echo");
  expect(names).toContain("read_files");
  await expectLogged(server, {
    effect: "deny",
    rule: "definition",
    reason: expect.stringContaining("`echo`"),
  });
  await server.close();
  const { out, err } = worlds.fenzi(world, ["mcp", "tools", "hostile"]);
  expect(out + err).toContain("echo");
  expect(out + err).not.toMatch(HIDDEN);
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
