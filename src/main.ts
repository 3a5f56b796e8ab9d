// argv → command → exit code, as a function: what `cli.ts` and the tests call. A command's code is loaded when it runs.
import {
  Command,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import { UsageError, type Exit } from "./commands/outcome.ts";
import { collect, registerMcp } from "./commands/register-mcp.ts";
import { ending, misused } from "./ending.ts";
import type { Host } from "./host/host.ts";
import { blankSecrets } from "./match/blank-secrets.ts";
import { VERSION } from "./version.ts";
import { visibleLines } from "./diagnostics/visible.ts";

const DONE: Exit = 0;

/** Runs one command line. `argv` is without the program's own words. Never throws for a user's mistake. */
export const main = (argv: readonly string[], host: Host): Promise<Exit> =>
  ending(host, argv, async () => {
    let exit: Exit = DONE;
    const program = build(host, argv, (code) => {
      exit = code;
    });
    checkCommand(program, argv);
    try {
      await program.parseAsync([...argv], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode === 0) return DONE;
      return misused(host, argv, error.message.replace(/^error: /, ""));
    }
    return exit;
  });

/** `fenzi list` means `fenzi mcp list`. */
function checkCommand(program: Command, argv: readonly string[]): void {
  const [first = ""] = argv;
  const named = (command: Command) =>
    command.commands.some(
      (c) => c.name() === first || c.aliases().includes(first),
    );
  const mcp = program.commands.find((c) => c.name() === "mcp");
  if (!named(program) && mcp !== undefined && named(mcp))
    throw new UsageError(
      `there is no command \`${first}\``,
      `fenzi mcp ${first} …`,
    );
}

function build(
  host: Host,
  argv: readonly string[],
  done: (exit: Exit) => void,
): Command {
  const program = new Command("fenzi")
    .description(
      "List a project's MCP servers once, give them to every coding agent, and check every call.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .showHelpAfterError("run with --help for the options")
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText("after", `\n${START}`);

  program
    .command("init")
    .description("make a first fenzi.yaml in this folder")
    .usage("[options]\n       fenzi init -- <command> [argument...]")
    .argument("[words...]", "`--`, and a command: its tools are listed")
    .action(async (words: readonly string[]) => {
      const dashes = argv.indexOf("--");
      const command = dashes < 0 ? null : argv.slice(dashes + 1);
      if (words.length > (command?.length ?? 0) || command?.length === 0)
        throw new UsageError(
          "a command goes behind `--`",
          "fenzi init -- COMMAND ARG…",
        );
      done(await (await import("./commands/init.ts")).init(host, command));
    });

  registerMcp(program, { host, argv, done });

  program
    .command("check")
    .description("find every problem in the files that count here")
    .option("--strict", "warnings count as problems")
    .option("--json", "print one JSON document")
    .action(async (options) =>
      done((await import("./commands/check.ts")).check(host, options)),
    );

  program
    .command("explain")
    .description(
      "say what happens to a call and who decides, or what a code means",
    )
    .argument("<name>", "a server's name, or a code such as merge/identity")
    .argument("[tool]", "a tool's name")
    .option(
      "--arguments <json>",
      "the arguments of the call, as a JSON object: judged with the files that are there now",
    )
    .option("--json", "print one JSON document")
    .action(
      async (
        first: string,
        tool: string | undefined,
        options: { json?: boolean; arguments?: string },
      ) => {
        const { explainCall, explainCode } =
          await import("./commands/explain.ts");
        if (tool !== undefined)
          return done(explainCall(host, first, tool, options));
        if (!first.includes("/"))
          throw new UsageError(
            `name a tool as well: \`fenzi explain ${first} TOOL\``,
          );
        if (options.json === true || options.arguments !== undefined)
          throw new UsageError(
            `\`${options.json === true ? "--json" : "--arguments"}\` goes with a server and a tool; what a code means is text`,
          );
        return done(explainCode(host, first));
      },
    );

  program
    .command("compile")
    .description(
      "write a self-contained folder for each agent and print how to start it",
    )
    .option("--agent <agent>", "only this agent (may be repeated)", collect)
    .option(
      "--out <dir>",
      "write below this folder: absent, empty, or compiled before",
    )
    .option("--at <path>", "where that folder will be mounted for the agent")
    .option(
      "--workdir <path>",
      "where the project will be mounted for the agent",
    )
    .addOption(trustOption())
    .option(
      "--allow-unenforced",
      "warn where a rule for a local server is held by nobody",
    )
    .option("--dry-run", "show the differences, write nothing")
    .option("--check", "exit 1 when something would change, write nothing")
    .option("--strict", "warnings count as problems")
    .option("--json", "print one JSON document")
    .action(async (options) =>
      done(
        await (await import("./commands/compile.ts")).compile(host, options),
      ),
    );

  program
    .command("apply")
    .description(
      "put every server behind `fenzi guard` in the agents' own project files",
    )
    .option("--agent <agent>", "only this agent (may be repeated)", collect)
    .option("--only", "switch off other servers as far as these files can")
    .option("--dry-run", "show the differences, write nothing")
    .option("--check", "exit 1 when something would change, write nothing")
    .option("--revert", "take out what fenzi put in")
    .addOption(trustOption())
    .option("--json", "print one JSON document")
    .action(async (options) =>
      done(await (await import("./commands/apply.ts")).apply(host, options)),
    );

  program
    .command("gateway")
    .description(
      "stand before the remote servers: judge every call, add the tokens",
    )
    .option("--agent <agent>", "only this agent (may be repeated)", collect)
    .option(
      "--out <dir>",
      "write the agents' folders below this one: absent or empty",
    )
    .option(
      "--listen <address>",
      "where on this machine to listen",
      "127.0.0.1:0",
    )
    .addOption(trustOption())
    .option(
      "--allow-unenforced",
      "warn where a rule for a local server is held by nobody",
    )
    .action(async (options) =>
      done(
        await (await import("./commands/gateway.ts")).gateway(host, options),
      ),
    );

  program
    .command("guard")
    .description(
      "stand before one server, for an agent that starts this in its place",
    )
    .argument("<name>", "the server's name")
    .action(async (name: string) =>
      done(await (await import("./commands/guard.ts")).guard(host, name)),
    );

  program
    .command("logs")
    .description("show what gateway and guards decided, call by call")
    .option("-f, --follow", "go on with what is decided from now on")
    .option("--denied", "only what was refused")
    .option("--server <name>", "only this server's")
    .option("--json", "print one JSON object a line")
    .action(async (options) =>
      done(await (await import("./commands/logs.ts")).logs(host, options)),
    );

  program
    .command("trust")
    .description(
      "look at the servers that this repository adds, and trust them",
    )
    .option("--yes", "trust without asking")
    .action(async (options) =>
      done(await (await import("./commands/trust.ts")).trust(host, options)),
    );

  prepare(program, host);
  return program;
}

const trustOption = (): Option =>
  new Option(
    "--trust [sha256]",
    "trust the project for this run, or only these bytes of it",
  );

/** Exits become exceptions and output goes through the host, in every command. */
function prepare(command: Command, host: Host): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => host.stdout.write(visibleLines(text)),
    // What was typed may hold a secret.
    writeErr: (text) => host.stderr.write(visibleLines(blankSecrets(text))),
    getOutHelpWidth: () => Math.min(80, host.stdout.columns),
    getErrHelpWidth: () => Math.min(80, host.stderr.columns),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  for (const option of command.options)
    if (option.required) refuseFlags(option);
  for (const child of command.commands) prepare(child, host);
}

/** A flag where a value should be: the value was forgotten. */
function refuseFlags(option: Option): void {
  const { parseArg } = option;
  option.argParser<unknown>((value, before) => {
    if (value.startsWith("--"))
      throw new InvalidArgumentError("Its value is missing.");
    return parseArg === undefined ? value : parseArg(value, before);
  });
}

const START = `First steps:
  fenzi mcp add deepwiki https://mcp.deepwiki.com/mcp --tool read_wiki_structure
  fenzi mcp import     (or take over the servers of .mcp.json and the like)
  fenzi apply          (then start the agent as always)`;
