// The list of servers, for people (80 columns) and for programs.
import { columns, longest } from "../diagnostics/wrap.ts";
import { visible, visibleWhole } from "../diagnostics/visible.ts";
import { tokenVariable } from "../match/server-name.ts";
import { printTemplate } from "../match/template.ts";
import type { Model, Server } from "../model/model.ts";
import type { ShownRules } from "../policy/shown-rules.ts";
import { originOf } from "./document.ts";
import { shellLine } from "./shell-words.ts";
import type { Terminal } from "./terminal.ts";

type TokenState = "none" | "stored" | "missing";

export interface ListedServer {
  readonly server: Server;
  readonly trusted: boolean;
  readonly tools: ShownRules;
  readonly token: TokenState;
  /** Where the token was found: "keychain", "environment"; null when there is none. */
  readonly store: string | null;
}

export function listLines(
  servers: readonly ListedServer[],
  view: Terminal,
  place: { readonly project: string; readonly machineFile: string },
): readonly string[] {
  if (servers.length === 0)
    return [
      `no servers in ${view.show(place.project)} or ${view.show(place.machineFile)}`,
      "add one: fenzi mcp add NAME URL --tool TOOL, or fenzi mcp add NAME -- COMMAND",
    ];
  const width = longest(servers.map((s) => s.server.name));
  return servers.flatMap((listed) => lines(listed, view, width));
}

const WIDTH = 80;

function lines(
  { server, trusted, tools, token, store }: ListedServer,
  view: Terminal,
  width: number,
): readonly string[] {
  const { transport } = server;
  const indent = " ".repeat(width + 2);
  const target =
    transport.kind === "http"
      ? transport.url
      : shellLine(transport.command.map((w) => printTemplate(w.value)));
  const marks = [
    ...(server.enabled.value ? [] : ["off"]),
    ...(trusted ? [] : ["not trusted"]),
    ...(token === "none"
      ? []
      : [
          token === "stored"
            ? `token stored (${store ?? ""})`
            : "token missing",
        ]),
  ];
  const head = `${view.paint.bold(server.name.padEnd(width))}  ${fit(visibleWhole(target), WIDTH - width - 2)}`;
  const where = `${server.origin.layer} ${view.show(server.origin.at.file)}:${server.origin.at.start.line}`;
  return [
    head,
    ...fold(`tools: ${toolWords(tools)}`, WIDTH - width - 2).map(
      (line) => indent + line,
    ),
    ...fold(["from " + where, ...marks].join(" · "), WIDTH - width - 2).map(
      (line) => indent + view.paint.dim(line),
    ),
    ...server.narrowedBy.flatMap((n) =>
      fold(
        `narrowed by ${n.origin.layer} ${view.show(n.origin.at.file)}:${n.origin.at.start.line} (${n.what})`,
        WIDTH - width - 2,
      ).map((line) => indent + view.paint.dim(line)),
    ),
  ];
}

/** Cut in the middle, so that start and end stay readable. */
function fit(text: string, width: number): string {
  if (columns(text) <= width) return text;
  const keep = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - keep)}…${text.slice(text.length - keep)}`;
}

/** Breaks at blanks; a word that is too long is broken where it must. */
function fold(text: string, width: number): readonly string[] {
  const out: string[] = [];
  let line = "";
  for (const word of text
    .split(" ")
    .flatMap((w) => w.match(new RegExp(`.{1,${width}}`, "gsu")) ?? [])) {
    if (line !== "" && columns(line) + 1 + columns(word) > width) {
      out.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? out : [...out, line];
}

/** The effective rules in a few words. */
export function toolWords({ allow, ask, deny }: ShownRules): string {
  const words = (rules: readonly string[]) => rules.map(visible).join(", ");
  const allowed =
    allow === "all" ? "all" : allow.length === 0 ? "none" : words(allow);
  return [
    allowed,
    ...(ask.length === 0 ? [] : [`ask ${words(ask)}`]),
    ...(deny.length === 0 ? [] : [`deny ${words(deny)}`]),
  ].join("; ");
}

export const listDocument = (
  model: Model | null,
  servers: readonly ListedServer[],
  trusted: boolean,
  project: string,
) => ({
  project,
  trusted,
  layers: (model?.layers ?? []).map(({ layer, file }) => ({ layer, file })),
  servers: servers.map(({ server, trusted: seen, tools, token, store }) => {
    const { transport } = server;
    return {
      name: server.name,
      origin: originOf(server.origin),
      transport: transport.kind,
      ...(transport.kind === "http"
        ? { url: transport.url }
        : { command: transport.command.map((w) => printTemplate(w.value)) }),
      enabled: server.enabled.value,
      trusted: seen,
      tools,
      narrowedBy: server.narrowedBy.map((n) => ({
        ...originOf(n.origin),
        what: n.what,
      })),
      token,
      store,
      tokenEnv:
        transport.kind === "http" && transport.token.kind !== "none"
          ? tokenVariable(server.name)
          : null,
    };
  }),
});
