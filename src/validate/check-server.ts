// What one server entry says about itself: name, transport, URL, words, variables, headers, folder.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import { findSecret } from "../match/secret.ts";
import { isReservedName, nameProblem } from "../match/server-name.ts";
import { parseTemplate, VARIABLE_NAME } from "../match/template.ts";
import { parseConfiguredUrl } from "../match/socket-url.ts";
import type { Path, Source } from "../source/source-file.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import { checkArguments } from "./check-arguments.ts";
import { checkHeader } from "./check-header.ts";
import { checkLimits } from "./check-limits.ts";
import { checkServerSecrets } from "./check-secrets.ts";
import { checkTools } from "./check-tools.ts";

/** All problems of an entry at once. */
export function checkServer(
  source: Source,
  name: string,
  entry: ServerEntry,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const path: Path = ["mcp", name];
  const key = (...rest: Path): Span => source.locate([...path, ...rest], "key");
  const value = (...rest: Path): Span =>
    source.locate([...path, ...rest], "value");
  const add = (found: Diagnostic | readonly Diagnostic[]) => {
    for (const each of [found].flat()) diagnostics.push(each);
  };

  const problem = nameProblem(name);
  if (problem !== null)
    add(report("server/name", { name, reason: problem }, { at: key() }));
  else if (isReservedName(name))
    add(report("server/reserved-name", { name }, { at: key() }));

  const { url, command } = entry;
  if (url !== undefined && command !== undefined)
    add(
      report(
        "server/two-transports",
        { name },
        {
          at: key("command"),
          notes: [{ message: "the `url` is here", at: key("url") }],
        },
      ),
    );
  const wrong = (
    member: "headers" | "token" | "env" | "cwd" | "isolation",
    needs: "url" | "command",
  ) => {
    const other = needs === "url" ? command : url;
    if (
      entry[member] !== undefined &&
      other !== undefined &&
      entry[needs] === undefined
    )
      add(
        report(
          "server/wrong-transport",
          { key: member, needs },
          { at: key(member) },
        ),
      );
  };
  wrong("headers", "url");
  wrong("token", "url");
  wrong("env", "command");
  wrong("cwd", "command");
  wrong("isolation", "command");
  add(checkIsolation(entry, value));

  if (url !== undefined) add(checkUrl(url, value("url")));
  if (command !== undefined) {
    if ((command[0] ?? "") === "")
      add(report("server/command-empty", {}, { at: value("command") }));
    command.forEach((word, i) => {
      add(checkTemplate(word, value("command", i)));
    });
  }
  for (const [variable, text] of Object.entries(entry.env ?? {})) {
    if (!VARIABLE_NAME.test(variable))
      add(
        report(
          "server/env-name",
          { name: variable },
          { at: key("env", variable) },
        ),
      );
    add(checkTemplate(text, value("env", variable)));
  }
  const seen = new Map<string, string>();
  for (const [header, text] of Object.entries(entry.headers ?? {})) {
    add(
      checkHeader(
        header,
        text,
        key("headers", header),
        value("headers", header),
        seen,
      ),
    );
    // It is refused whole, and its help says where a token goes.
    if (header.toLowerCase() !== "authorization")
      add(checkTemplate(text, value("headers", header)));
  }
  if (typeof entry.token === "object")
    add(
      checkHeader(
        entry.token.header,
        "",
        value("token", "header"),
        value("token", "header"),
        seen,
      ),
    );
  if (
    entry.cwd !== undefined &&
    entry.cwd !== "project" &&
    !/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(entry.cwd)
  )
    add(report("server/cwd", { path: entry.cwd }, { at: value("cwd") }));
  add(checkLimits(entry, (limit) => value("limits", limit)));
  add(checkArguments(source, name, entry));
  add(checkTools(source, name, entry));
  add(checkServerSecrets(source, name, entry));
  return diagnostics;
}

/** An image's name that no program could take for a flag, and a key for sockets beside a socket. */
function checkIsolation(
  { isolation, url, command, allowSystemSocket }: ServerEntry,
  value: (...rest: Path) => Span,
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  if (
    typeof isolation === "object" &&
    !/^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,255}$/.test(isolation.image)
  )
    out.push(
      report(
        "server/image",
        { image: isolation.image },
        { at: value("isolation", "image") },
      ),
    );
  if (
    allowSystemSocket !== undefined &&
    (url ?? command) !== undefined &&
    url?.startsWith("unix:") !== true
  )
    out.push(
      report("server/system-socket", {}, { at: value("allowSystemSocket") }),
    );
  return out;
}

function checkUrl(url: string, at: Span): readonly Diagnostic[] {
  const secret = findSecret(url, { kind: "url" });
  const found = parseConfiguredUrl(url);
  const out: Diagnostic[] = [];
  if ("problem" in found)
    out.push(
      found.kind === "reference"
        ? report(
            "server/url-reference",
            {},
            {
              at,
              help: "write the address as it is; a token goes into `token: true`",
            },
          )
        : report("server/url", { reason: found.problem }, { at }),
    );
  if (secret !== null)
    out.push(
      report(
        "server/url-secret",
        { where: secret.where },
        { at, help: "write `token: true` and store it with `fenzi mcp token`" },
      ),
    );
  return out;
}

function checkTemplate(text: string, at: Span): readonly Diagnostic[] {
  const parsed = parseTemplate(text);
  return "error" in parsed
    ? [
        report(
          "server/reference",
          { text: parsed.text, reason: parsed.error },
          { at },
        ),
      ]
    : [];
}
