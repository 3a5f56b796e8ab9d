// The words and flags of `fenzi mcp add` → what is wanted of the server. Everything that is wrong with the command line
// itself is said here, with the line that would be right; what a file says is looked at later.
import { quote } from "../diagnostics/codes/define.ts";
import { nearest } from "../match/nearest.ts";
import { isReservedName, nameProblem } from "../match/server-name.ts";
import { findSecret } from "../match/secret.ts";
import { VARIABLE_NAME } from "../match/template.ts";
import { parseConfiguredUrl } from "../match/socket-url.ts";
import { UsageError } from "./outcome.ts";
import { PRESETS, type Preset } from "./preset-list.ts";

export interface AddOptions {
  readonly tool?: readonly string[];
  readonly allTools?: boolean;
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly token?: boolean;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly machine?: boolean;
  readonly here?: boolean;
  readonly update?: boolean;
  readonly dryRun?: boolean;
  /** Name of a preset. */
  readonly preset?: string;
}

export interface AddWords {
  readonly name: string;
  /** What stands behind the name, up to `--`. */
  readonly words: readonly string[];
  /** What stands behind `--`; null without one. */
  readonly command: readonly string[] | null;
}

export interface Wanted {
  readonly name: string;
  /** Null: the one that is there stays, in this file or in an outer one. */
  readonly transport:
    | { readonly kind: "http"; readonly url: string }
    | { readonly kind: "stdio"; readonly command: readonly string[] }
    | null;
  readonly token: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the flag was not given. */
  readonly allow: "all" | readonly string[] | null;
  readonly ask: readonly string[] | null;
  readonly deny: readonly string[] | null;
  /** What it is in whole, or null. */
  readonly preset: Preset | null;
}

export function readWanted(given: AddWords, options: AddOptions): Wanted {
  const preset =
    options.preset === undefined ? null : readPreset(options.preset);
  if (preset !== null) return wantedPreset(preset, given, options);
  checkName(given);
  const transport = readTransport(given);
  if (options.allTools === true && options.tool !== undefined)
    throw new UsageError(
      "`--tool` names tools, `--all-tools` takes all: give one of the two",
    );
  const wanted: Wanted = {
    name: given.name,
    transport,
    token: options.token === true,
    env: pairs(options.env ?? [], "env"),
    headers: pairs(options.header ?? [], "header"),
    allow: options.allTools === true ? "all" : rules(options.tool, "tool"),
    ask: rules(options.ask, "ask"),
    deny: rules(options.deny, "deny"),
    preset: null,
  };
  if (transport?.kind === "http") {
    if (options.env !== undefined)
      throw new UsageError(
        "`--env` is for a server that is started with a command; a remote one takes `--header`",
      );
  } else if (transport !== null) {
    const flag = wanted.token
      ? "--token"
      : options.header === undefined
        ? null
        : "--header";
    if (flag !== null)
      throw new UsageError(
        `\`${flag}\` is for a remote server; a command takes \`--env 'NAME=\${NAME}'\``,
      );
  }
  return wanted;
}

function readPreset(name: string): Preset {
  const found = PRESETS.find((preset) => preset.name === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    PRESETS.map((preset) => preset.name),
  );
  throw new UsageError(
    `there is no preset ${quote(name)}${near === null ? "" : `; did you mean \`${near}\`?`}`,
    "fenzi mcp presets",
  );
}

/** A preset says all of a server; what it does not fit is edited afterwards. */
function wantedPreset(
  preset: Preset,
  given: AddWords,
  options: AddOptions,
): Wanted {
  checkName(given);
  if (given.words.length > 0 || given.command !== null)
    throw new UsageError("a preset has its own command; give only a name");
  const flag = (
    ["tool", "allTools", "deny", "ask", "token", "env", "header"] as const
  ).find((each) => options[each] !== undefined);
  if (flag !== undefined)
    throw new UsageError(
      `\`--preset\` has its own rules; \`--${flag === "allTools" ? "all-tools" : flag}\` goes with \`--update\` afterwards`,
    );
  if (preset.ofProject && options.machine === true)
    throw new UsageError(
      `the preset \`${preset.name}\` is about the files of a project; add it there, without \`--machine\``,
    );
  return {
    name: given.name,
    transport: { kind: "stdio", command: preset.command },
    token: false,
    env: {},
    headers: {},
    allow: preset.allow,
    ask: null,
    deny: null,
    preset,
  };
}

function checkName({ name, words, command }: AddWords): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name))
    throw new UsageError(
      "the server's name comes first",
      `fenzi mcp add NAME ${line([name])}`,
    );
  const problem = nameProblem(name);
  if (problem !== null)
    throw new UsageError(
      words.length + (command?.length ?? 0) === 0 && /[./]/.test(name)
        ? `the server's name comes first, then its URL`
        : `the server name ${quote(name)} ${problem}`,
    );
  if (isReservedName(name))
    throw new UsageError(
      `the server name ${quote(name)} is reserved by an agent; choose another`,
    );
}

function readTransport({
  name,
  words,
  command,
}: AddWords): Wanted["transport"] {
  const [first, ...rest] = words;
  if (command !== null) {
    if (first !== undefined)
      throw new UsageError(
        `${tick(first)} stands between the name and \`--\`: give a URL, or \`--\` and a command`,
      );
    return { kind: "stdio", command: checkCommand(name, command) };
  }
  if (first === undefined) return null;
  if (!first.includes("://") && !first.startsWith("unix:")) {
    if (rest.length === 0 && looksLikeAddress(first))
      throw new UsageError(
        "the URL must start with `https://`",
        `fenzi mcp add ${name} https://${line([first])}`,
      );
    throw new UsageError(
      "a command goes behind `--`",
      `fenzi mcp add ${name} -- ${line(words)}`,
    );
  }
  if (rest.length > 0)
    throw new UsageError(
      `one URL is enough; ${tick(rest[0] ?? "")} is too much (\`--token\` takes no value: it asks)`,
    );
  const url = parseConfiguredUrl(first);
  if ("problem" in url) throw new UsageError(`the URL ${url.problem}`);
  return { kind: "http", url: first };
}

/** Something like `mcp.example.com/mcp` or `localhost:3000`. */
const looksLikeAddress = (word: string): boolean =>
  /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|\d+\.\d+\.\d+\.\d+)(?::\d+)?(?:\/|$)/i.test(
    word,
  ) && !/\.(?:js|mjs|cjs|ts|py|sh|exe)$/i.test(word);

function checkCommand(
  name: string,
  command: readonly string[],
): readonly string[] {
  const [program, ...rest] = command;
  if (program === undefined || program === "")
    throw new UsageError(
      "the command is missing behind `--`",
      `fenzi mcp add ${name} -- COMMAND ARG…`,
    );
  if (/^https?:\/\//.test(program))
    throw new UsageError(
      "a URL goes without `--`",
      `fenzi mcp add ${name} ${line([program])}`,
    );
  if (
    rest.length === 0 &&
    /\s/.test(program) &&
    !/^[./~]|^[A-Za-z]:/.test(program)
  )
    throw new UsageError(
      `${tick(program)} is one word with blanks in it: leave the quotes away`,
      `fenzi mcp add ${name} -- ${line([program])}`,
    );
  return command;
}

/** Lists of tools: each once, in the order given. */
function rules(
  list: readonly string[] | undefined,
  flag: "tool" | "ask" | "deny",
): readonly string[] | null {
  if (list === undefined) return null;
  for (const rule of list) {
    if (rule.includes(","))
      throw new UsageError(
        `\`--${flag}\` takes one tool; repeat it for more`,
        rule
          .split(",")
          .filter((part) => part.trim() !== "")
          .map((part) => `--${flag} ${line([part.trim()])}`)
          .join(" "),
      );
    if (flag === "tool" && /^\*+$/.test(rule))
      throw new UsageError(
        "for every tool, now and later, write `--all-tools` instead of `--tool '*'`",
      );
  }
  return [...new Set(list)];
}

/** `NAME=VALUE`, or `NAME: VALUE`. Values are never shown: they may be secrets. */
function pairs(
  list: readonly string[],
  flag: "env" | "header",
): Readonly<Record<string, string>> {
  const sign = flag === "env" ? "=" : ":";
  const out: Record<string, string> = Object.create(null) as Record<
    string,
    string
  >;
  for (const pair of list) {
    const at = pair.indexOf(sign);
    const key = pair.slice(0, at).trim();
    if (at <= 0 || key === "")
      throw new UsageError(
        flag === "env"
          ? "`--env` takes NAME=VALUE"
          : "`--header` takes 'NAME: VALUE'",
        flag === "env" && VARIABLE_NAME.test(pair) && line([pair]) === pair
          ? `to pass on a variable of yours: --env '${pair}=\${${pair}}'`
          : null,
      );
    if (Object.hasOwn(out, key))
      throw new UsageError(`\`--${flag}\` gives ${quote(key)} twice`);
    out[key] = flag === "env" ? pair.slice(at + 1) : pair.slice(at + 1).trim();
  }
  return out;
}

/** Words of the command line in a suggestion: control characters made visible, secrets left out. */
const line = (words: readonly string[]): string =>
  words
    .map((word, i) => {
      const place = { kind: "word", before: words[i - 1] ?? null } as const;
      return findSecret(word, place) === null ? quote(word).slice(1, -1) : "…";
    })
    .join(" ");

const tick = (word: string): string => `\`${line([word])}\``;
