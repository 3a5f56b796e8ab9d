// The command lines of `fenzi mcp …`: words, flags and help. A command's code is loaded when it runs.
import { Option, type Command } from "commander";
import type { Host } from "../host/host.ts";
import { UsageError, type Exit } from "./outcome.ts";

interface Registration {
  readonly host: Host;
  /** The whole command line, for what the parser does not keep: where `--` stood. */
  readonly argv: readonly string[];
  readonly done: (exit: Exit) => void;
}

export function registerMcp(program: Command, to: Registration): void {
  const mcp = program
    .command("mcp")
    .description("add, list, import and remove servers")
    .helpCommand("help [command]", "show help for a command");
  registerAdd(mcp, to);
  const { host, done } = to;
  mcp
    .command("remove")
    .alias("rm")
    .description("take a server out of the file that has it")
    .argument("<name>", "a server's name")
    .option("--machine", "take it out of the machine file")
    .option("--dry-run", "show the difference, write nothing")
    .action(async (name: string, options) =>
      done(await (await import("./remove.ts")).remove(host, name, options)),
    );
  mcp
    .command("list")
    .description("show the servers, where each comes from and what narrowed it")
    .option("--json", "print one JSON document")
    .action(async (options) =>
      done(await (await import("./list.ts")).list(host, options)),
    );
  mcp
    .command("tools")
    .description(
      "ask a server for its tools: what is allowed, what has changed",
    )
    .argument("<name>", "a server's name")
    .addOption(
      new Option(
        "--trust [sha256]",
        "trust the project for this run, or only these bytes of it",
      ),
    )
    .option("--json", "print one JSON document")
    .action(async (name: string, options) =>
      done(await (await import("./tools.ts")).tools(host, name, options)),
    );
  mcp
    .command("pin")
    .description("look at what servers offer now, and accept just that")
    .argument("[name]", "a server's name; without one all of them")
    .option("--yes", "pin without asking")
    .action(async (name: string | undefined, options) =>
      done(await (await import("./pin.ts")).pin(host, name ?? null, options)),
    );
  mcp
    .command("narrow")
    .description(
      "cut the allowed tools down to those that the logs show in use",
    )
    .argument("[name]", "a server's name; without one all of them")
    .option("--write", "write the file; without it the difference is shown")
    .action(async (name: string | undefined, options) =>
      done(
        await (await import("./narrow.ts")).narrow(host, name ?? null, options),
      ),
    );
  mcp
    .command("presets")
    .description("show the servers that `mcp add --preset` knows")
    .action(async () => done((await import("./presets.ts")).presets(host)));
  mcp
    .command("import")
    .description("bring in the servers of another tool's file")
    .argument("[file...]", "files to read; without one the known ones are")
    .option("--machine", "into the machine file, from the files in your home")
    .option("--dry-run", "show the difference, write nothing")
    .option("--json", "print one JSON document")
    .action(async (files: readonly string[], options) =>
      done(
        await (await import("./import.ts")).importServers(host, files, options),
      ),
    );
  mcp
    .command("token")
    .description("store a server's token in the keychain, from a hidden prompt")
    .argument("<name>", "a server's name")
    .option("--stdin", "read the token from standard input")
    .option("--delete", "take the stored token out")
    .action(async (name: string, options) =>
      done(await (await import("./token.ts")).token(host, name, options)),
    );
}

function registerAdd(mcp: Command, { host, argv, done }: Registration): void {
  const dashes = argv.indexOf("--");
  mcp
    .command("add")
    .description(
      "add a server to the repository's nearest fenzi.yaml, or to a new one",
    )
    .usage(
      "[options] <name> <url>\n       fenzi mcp add [options] <name> -- <command> [argument...]\n       fenzi mcp add [options] --preset <preset> [name]",
    )
    .argument("[name]", "what the server is called in every agent")
    .argument("[words...]", "its URL; or `--`, and the command that starts it")
    .option(
      "--tool <tool>",
      "allow this tool (may be repeated; with --update: instead of those there)",
      collect,
    )
    .option("--all-tools", "allow every tool that it offers now and later")
    .option("--deny <tool>", "refuse this tool (may be repeated)", collect)
    .option("--ask <tool>", "ask before this tool (may be repeated)", collect)
    .option("--token", "it takes a token, which the keychain keeps: asks now")
    .option(
      "-e, --env <name=value>",
      "variable for the command; 'N=${N}' takes yours",
      collect,
    )
    .option(
      "-H, --header <name: value>",
      "header for a remote server, in quotes",
      collect,
    )
    .option("--preset <preset>", "one that `fenzi mcp presets` lists")
    .option("--machine", "write the machine file: for all your projects")
    .addOption(
      new Option(
        "--here",
        "write fenzi.yaml in this folder, not one above it",
      ).conflicts("machine"),
    )
    .option("--update", "change the server when it is already there")
    .option("--dry-run", "show the difference, write nothing")
    .addHelpText("after", EXAMPLES)
    .configureOutput({
      outputError: (text, write) =>
        // What follows `=` may be a secret.
        write(text.replace(/('--?[\w-]+)=[^']*'/, "$1=…'") + hint(text, argv)),
    })
    .action(async (first, words: readonly string[], options) => {
      const command = dashes < 0 ? null : argv.slice(dashes + 1);
      const name: string | undefined = first ?? options.preset;
      if (name === undefined)
        throw new UsageError(
          "say what to add: a name and a URL, a name and a command, or `--preset`",
          "fenzi mcp add NAME URL, or fenzi mcp add NAME -- COMMAND ARG…",
        );
      const given = {
        name,
        words: words.slice(0, words.length - (command?.length ?? 0)),
        command,
      };
      done(await (await import("./add.ts")).add(host, given, options));
    });
}

/** What somebody probably meant by a flag that there is not. */
function hint(text: string, argv: readonly string[]): string {
  if (!text.includes("unknown option")) return "";
  if (/'(?:-t|--transport|--type)/.test(text))
    return "a URL makes it a remote server, `--` and a command a local one\n";
  return argv.includes("--")
    ? ""
    : "a command and its own flags go behind `--`:\n  fenzi mcp add NAME -- COMMAND ARG…\n";
}

/** Gathers the values of a flag that may be repeated. */
export const collect = (
  value: string,
  before: readonly string[] | undefined,
): readonly string[] => [...(before ?? []), value];

const EXAMPLES = `
Examples:
  fenzi mcp add deepwiki https://mcp.deepwiki.com/mcp --tool read_wiki_structure
  fenzi mcp add linear https://mcp.linear.app/mcp --token   (offers its tools)
  fenzi mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  fenzi mcp add db --env 'KEY=\${DB_KEY}' -- uvx mcp-server-sqlite
  fenzi mcp add linear --update --deny delete_issue`;
