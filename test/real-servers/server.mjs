// One server twice in the same project folder, alone and behind the guard, and what is compared between the two.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { guardCommand } from "../support/guard-command.mjs";
import { openStdio, textOf } from "../support/stdio-client.mjs";
import { same } from "../support/tally.mjs";

const PROGRAM = (server) =>
  fileURLToPath(
    new URL(
      `node_modules/@modelcontextprotocol/server-${server}/dist/index.js`,
      import.meta.url,
    ),
  );
const SECONDS_TO_END = 10;

/**
 * @param server   the package's name after `server-`
 * @param folder   new
 * @param prepare  fills the project folder; gives the arguments and the variables of the server, and its rules
 */
export async function openBoth({ server, folder, tally, prepare }) {
  const project = join(folder, "project");
  guardCommand({ folder, name: server, trusted: false });
  const { args = [], env = {}, rules } = prepare(project);
  const argv = [process.execPath, PROGRAM(server), ...args];
  const guard = guardCommand({
    folder,
    name: server,
    project: { mcp: { [server]: { command: argv, env, ...rules } } },
  });
  const alone = openStdio({
    argv,
    cwd: project,
    env: { ...guard.env, ...env },
  });
  const guarded = openStdio(guard);
  await Promise.all([alone.initialize(), guarded.initialize()]);

  const check = (name, problems) => tally.check(`${server}: ${name}`, problems);
  return {
    alone,
    guarded,
    project,
    check,

    /** The same call to both: what comes back is the same text. */
    async same(name, args) {
      const [without, through] = [
        await alone.call(name, args),
        await guarded.call(name, args),
      ];
      const of = ({ line, error }, member) =>
        error?.message ?? textOf(oneLine(line), ["result", member]);
      check(`${name} ${JSON.stringify(args).slice(0, 80)}`, [
        ...same("`content`", of(through, "content"), of(without, "content")),
        ...same(
          "`structuredContent`",
          of(through, "structuredContent"),
          of(without, "structuredContent"),
        ),
        ...(without.error || without.result.isError
          ? [`the server alone fails: ${without.line}`]
          : []),
      ]);
    },

    /** The guard refuses it, with a reason; the text of the file is nowhere in what it said. */
    async refused(name, args, { secret } = {}) {
      const { result, line } = await guarded.call(name, args);
      const reason = result?.content?.[0]?.text ?? "";
      check(`refused: ${name} ${JSON.stringify(args).slice(0, 80)}`, [
        ...(result?.isError === true && reason.startsWith("policy_denied: ")
          ? []
          : [`answered ${line}`]),
        ...(secret !== undefined && line.includes(secret)
          ? ["has the file's content"]
          : []),
      ]);
    },

    async close() {
      const { code } = await guarded.close();
      await alone.close();
      check("the guard ends well", same("its exit code", code, 0));
      check("everything is protocol", guarded.lines.filter(noMessage));
      check("nothing is left running", await leftOver(folder));
    },
  };
}

/** The guard spells as escapes what some readers take for the end of a line. */
const oneLine = (line) => line.replaceAll("\u2028", String.raw`\u2028`);

function noMessage(line) {
  try {
    return JSON.parse(line).jsonrpc !== "2.0";
  } catch {
    return true;
  }
}

/** Processes that work in the folder or have it in their words. */
async function leftOver(folder) {
  const end = Date.now() + SECONDS_TO_END * 1000;
  for (;;) {
    const left = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map((pid) => wordsOf(pid))
      .filter((words) => words.includes(folder));
    if (left.length === 0 || Date.now() > end) return left;
    await wait(100);
  }
}

function wordsOf(pid) {
  const read = (file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8");
    } catch {
      return "";
    }
  };
  return `${read("cmdline")} ${read("environ")}`.replaceAll("\0", " ");
}
