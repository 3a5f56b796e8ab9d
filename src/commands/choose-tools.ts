// The checklist of `fenzi mcp add`: a remote server is asked for its tools, and a person ticks those that may be called.
import { askRemote } from "../client/ask-server.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { isExactRule } from "../match/tool-pattern.ts";
import { expandTemplate } from "../match/template.ts";
import type { HttpTransport } from "../model/model.ts";
import type { Secret } from "../vault/secret.ts";
import { terminal } from "../views/terminal.ts";

export type ChosenTools =
  { readonly tools: readonly string[] } | { readonly problem: Diagnostic };

/** Asks the server, then the person, who may choose none. Nothing is written, and no tool is called. */
export async function chooseTools(
  host: Host,
  name: string,
  server: HttpTransport,
  token: Secret | null,
): Promise<ChosenTools> {
  const { note } = terminal(host);
  const stop = (reason: string, wantsToken = false): ChosenTools => ({
    problem: report(
      "edit/tools-not-listed",
      { name, reason },
      {
        help:
          wantsToken && token === null
            ? "give `--token` to be asked for one, or name the tools: `--tool TOOL`"
            : "name the tools with `--tool TOOL`, or take all with `--all-tools`",
      },
    ),
  });
  if (server.socket !== null) return stop("is behind a socket or a pipe");
  const headers: Record<string, string> = {};
  for (const header of server.headers) {
    const value = expandTemplate(header.value, host.env);
    if ("unset" in value)
      return stop(`needs the variable \`${value.unset}\`, which is not set`);
    headers[header.name] = value.text;
  }
  if (token !== null && server.token.kind === "header")
    headers[server.token.header] = token.reveal();
  else if (token !== null)
    headers["Authorization"] = `Bearer ${token.reveal()}`;
  note(`asking ${server.host} for its tools …`);
  const asked = await askRemote({ url: server.url, headers });
  if ("problem" in asked) return stop(asked.problem, asked.wantsToken);
  const listed = [
    ...new Map(asked.offer.tools.map((tool) => [tool.name, tool])).values(),
  ];
  const usable = listed.filter((t) => isExactRule(t.name));
  if (usable.length === 0) return stop("offers none that can be named");
  const left = listed.length - usable.length;
  if (left > 0)
    note(`${left} left out: their names cannot be written as rules`);
  const tools = await host.prompts.choose(
    `Tools of ${name} that may be called`,
    usable.map((t) => ({
      name: t.shown,
      value: t.name,
      description: t.description,
    })),
  );
  return { tools: [...tools] };
}
