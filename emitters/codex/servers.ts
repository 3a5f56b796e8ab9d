// The servers as `mcp_servers` says them. Codex expands nothing in its file: a variable is passed on under its own name, or is
// the whole of a header.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import {
  literalOf,
  printTemplate,
  referencesOf,
} from "../../src/match/template.ts";
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
  NamedValue,
} from "../../src/model/delivered.ts";
import type { Template } from "../../src/model/model.ts";
import type { CodexServer, ConfigFile } from "./shape.ts";
import { toolRules } from "./tools.ts";

export const mcpServers = (
  servers: readonly Delivered[],
  project: string,
): ConfigFile["mcp_servers"] =>
  Object.fromEntries(
    servers.map(({ name, transport, filter }): [string, CodexServer] => [
      name,
      {
        ...(transport.kind === "http"
          ? http(transport)
          : stdio(transport, project)),
        ...toolRules(filter),
      },
    ]),
  );

function http({ url, headers, token }: DeliveredHttp) {
  const fromVariables = headers.flatMap(({ name, value }) => {
    const variable = onlyReference(value);
    return variable === null ? [] : [[name, variable] as const];
  });
  if (token?.scheme === "header")
    fromVariables.push([token.header, token.variable]);
  return {
    url,
    ...(token?.scheme === "bearer"
      ? { bearer_token_env_var: token.variable }
      : {}),
    ...table("http_headers", literals(headers)),
    ...table("env_http_headers", fromVariables),
  };
}

function stdio({ command, env, cwd }: DeliveredStdio, project: string) {
  const [program = "", ...args] = command.map(
    ({ value }) => literalOf(value) ?? "",
  );
  const passed = env.filter(isPassedOn).map(({ name }) => name);
  return {
    command: program,
    args,
    ...(cwd.path === project ? {} : { cwd: cwd.path }),
    ...table("env", literals(env)),
    ...(passed.length === 0 ? {} : { env_vars: passed.sort() }),
  };
}

const literals = (values: readonly NamedValue[]) =>
  values.flatMap(({ name, value }) => {
    const text = literalOf(value);
    return text === null ? [] : [[name, text] as const];
  });

const table = (key: string, entries: readonly (readonly [string, string])[]) =>
  entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) };

const onlyReference = (value: Template): string | null => {
  const [part, more] = value;
  return part !== undefined && more === undefined && "reference" in part
    ? part.reference
    : null;
};

const isPassedOn = ({ name, value }: NamedValue): boolean =>
  onlyReference(value) === name;

/** What would not arrive as it is written. */
export const serverProblems = (
  servers: readonly Delivered[],
  agent: string,
): readonly Diagnostic[] =>
  servers.flatMap(({ transport }) =>
    transport.kind === "http"
      ? transport.headers.flatMap((header) => headerProblem(header, agent))
      : [
          ...transport.command.flatMap((word) =>
            unexpanded(
              word,
              agent,
              "let the server read the variable itself (`env` passes one on under its own name), or leave codex out",
            ),
          ),
          ...transport.env.flatMap((value) =>
            isPassedOn(value)
              ? ownHome(value, agent)
              : unexpanded(
                  value,
                  agent,
                  `a variable is passed on under its own name, as in \`${value.name}: "\${${value.name}}"\``,
                ),
          ),
        ],
  );

/** Codex is started with a home of its own. */
const ownHome = (
  { value, at }: NamedValue,
  agent: string,
): readonly Diagnostic[] =>
  referencesOf(value).includes("CODEX_HOME")
    ? [
        report(
          "deliver/reference-not-supported",
          {
            text: printTemplate(value),
            agent,
            instead:
              "it is started with a value of its own: write the text out",
          },
          { at },
        ),
      ]
    : [];

/** A reference that Codex would hand on as text. */
const unexpanded = (
  { value, at }: Pick<NamedValue, "value" | "at">,
  agent: string,
  instead: string,
): readonly Diagnostic[] =>
  literalOf(value) === null
    ? [
        report(
          "deliver/reference-not-supported",
          { text: printTemplate(value), agent, instead },
          { at },
        ),
      ]
    : [];

function headerProblem(
  header: NamedValue,
  agent: string,
): readonly Diagnostic[] {
  const { name, value, at } = header;
  if (onlyReference(value) !== null) return ownHome(header, agent);
  const text = literalOf(value);
  // Beyond ASCII a header arrives as other bytes.
  if (text !== null && /[^\0-\x7f]/.test(text))
    return [
      report(
        "deliver/unescapable",
        { text, agent, key: `headers.${name}` },
        { at },
      ),
    ];
  return unexpanded(
    header,
    agent,
    "it sends a header that is just one reference: let the variable hold the whole value",
  );
}
