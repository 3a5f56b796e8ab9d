// What a repository's files add, for a person who has to decide: every command line, URL, host and variable.
import { hostKind } from "../match/address.ts";
import { printTemplate, referencesOf } from "../match/template.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import type { Model, Server } from "../model/model.ts";
import type { Host } from "../host/host.ts";
import { visibleWhole } from "../diagnostics/visible.ts";
import { shellLine } from "./shell-words.ts";
import { shownPath } from "./terminal.ts";

/** Lines for the servers that root and project define, and for the programs of the machine that may be started here. Invisible characters are made visible. */
export function describeAdditions(
  host: Host,
  project: { readonly model: Model | null },
): readonly string[] {
  const model = project.model;
  if (model === null) return [];
  const lines: string[] = [];
  for (const layer of model.layers.filter((l) => l.adds)) {
    lines.push(`${shownPath(host, layer.file)} adds:`);
    for (const server of model.servers.filter(
      (s) => s.origin.at.file === layer.file,
    ))
      for (const each of describe(server)) lines.push(each);
    lines.push("");
  }
  const programs = model.servers.filter(isMachineProgram);
  if (programs.length > 0) {
    lines.push(
      `programs of this machine that may start in ${shownPath(host, model.project)}:`,
    );
    for (const server of programs)
      for (const each of describe(server)) lines.push(each);
    lines.push("");
  }
  return lines;
}

/** A server that is a program of this machine: started for a folder, it reads what lies there. */
export const isMachineProgram = ({
  origin,
  transport,
  enabled,
}: Server): boolean =>
  transport.kind === "stdio" && enabled.value && isOuterLayer(origin.layer);

function describe(server: Server): readonly string[] {
  const { transport } = server;
  const line = (label: string, text: string) =>
    `      ${label.padEnd(9)} ${visibleWhole(text)}`;
  const variables = [
    ...(transport.kind === "http" ? transport.headers : transport.env).flatMap(
      (v) => referencesOf(v.value),
    ),
    ...(transport.kind === "stdio"
      ? transport.command.flatMap((w) => referencesOf(w.value))
      : []),
  ];
  const out =
    transport.kind === "http"
      ? [
          line("url", transport.url),
          ...(hostKind(transport.host) === "private"
            ? [line("", "(an address of a private network)")]
            : []),
          ...transport.headers.map((h) =>
            line("header", `${h.name}: ${printTemplate(h.value)}`),
          ),
          ...(transport.token.kind === "none"
            ? []
            : [line("token", "a stored token is sent to it")]),
        ]
      : [
          line(
            "runs",
            shellLine(transport.command.map((w) => printTemplate(w.value))),
          ),
          ...(transport.cwd === "default"
            ? []
            : [
                line(
                  "in",
                  "project" in transport.cwd
                    ? "the project's folder"
                    : transport.cwd.value,
                ),
              ]),
          ...(transport.isolation.kind === "none"
            ? []
            : [
                line(
                  "isolated",
                  transport.isolation.kind === "bubblewrap"
                    ? "by bubblewrap"
                    : `in a container of ${transport.isolation.image}`,
                ),
              ]),
          ...transport.env.map((v) =>
            line("variable", `${v.name}=${printTemplate(v.value)}`),
          ),
        ];
  const reads = [...new Set(variables)];
  return [
    `    ${server.name}`,
    ...out,
    ...(reads.length === 0
      ? []
      : [line("reads", reads.map((r) => `$${r}`).join(" "))]),
  ];
}
