// `fenzi explain SERVER TOOL`: what would happen to a call and who decides. `fenzi explain CODE`: what a code means.
import { loadProject } from "../compile.ts";
import { catalog, isCode, report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { blankSecrets } from "../match/blank-secrets.ts";
import { isPattern } from "../match/tool-pattern.ts";
import type { Server } from "../model/model.ts";
import { nearest } from "../match/nearest.ts";
import { argumentsIn } from "../enforce/arguments-in.ts";
import { pathFacts } from "../host/path-facts.ts";
import {
  decide,
  preparePolicy,
  type Decision,
  type Policy,
} from "../policy/decide.ts";
import { originOf, printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import { wrap } from "../diagnostics/wrap.ts";
import { UsageError, type Exit } from "./outcome.ts";
import { serverNamed } from "./server-named.ts";

export function explainCall(
  host: Host,
  server: string,
  tool: string,
  options: { readonly json?: boolean; readonly arguments?: string },
): Exit {
  const given = options.arguments ?? null;
  const text = given === null ? null : argumentsOf(given);
  const project = loadProject(host);
  const named =
    project.model === null ? null : serverNamed(project.model, server);
  const diagnostics: Diagnostic[] = [...project.diagnostics];
  if (named !== null && "code" in named) diagnostics.push(named);
  const found = named === null || "code" in named ? null : named;
  const decision =
    project.model === null || found === null
      ? null
      : decideCall(host, preparePolicy(found, project.model), tool, text);
  const view = terminal(host);
  if (options.json === true) {
    const reasons = (decision?.reasons ?? []).map((r) => ({
      rule: r.rule,
      message: blankSecrets(r.message),
      ...originOf(r.origin),
    }));
    printDocument(
      host,
      {
        // What was typed may hold a secret.
        server: blankSecrets(server),
        tool: blankSecrets(tool),
        effect: decision?.effect ?? null,
        reasons,
      },
      diagnostics,
    );
  } else {
    view.diagnostics(
      decision === null
        ? diagnostics
        : diagnostics.filter((d) => d.severity === "error"),
      project.texts,
    );
    if (decision !== null)
      for (const line of words(decision, server, tool, view.show))
        view.out(blankSecrets(line));
    const unlisted =
      decision?.effect === "deny" &&
      decision.reasons.every((r) => r.rule === "tools.allow");
    const meant = found === null || !unlisted ? null : nearestTool(found, tool);
    if (meant !== null) view.out(`  did you mean \`${meant}\`?`);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}

/** JSON text of an object; anything else is no arguments of a call. */
function argumentsOf(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(
      "`--arguments` takes the arguments of a call as a JSON object",
      `for example: --arguments '{"path": "README.md"}'`,
    );
  return text;
}

/** With arguments as a door would judge them now, files of this machine included. */
function decideCall(
  host: Host,
  policy: Policy,
  tool: string,
  text: string | null,
): Decision {
  if (text === null) return decide(policy, { tool });
  const found = argumentsIn(policy, pathFacts(host), text);
  return found === null
    ? {
        effect: "deny",
        reasons: [
          {
            rule: "malformed",
            message: "two programs could read these arguments differently",
            origin: policy.origin,
          },
        ],
      }
    : decide(policy, { tool, arguments: found });
}

function words(
  decision: Decision,
  server: string,
  tool: string,
  show: (path: string) => string,
): readonly string[] {
  const verdict = {
    allow: "allowed",
    ask: "asked about at each call",
    deny: "refused",
  }[decision.effect];
  return [
    `${tool} of ${server} is ${verdict}`,
    ...decision.reasons.map(
      (r) =>
        `  ${show(r.origin.at.file)}:${r.origin.at.start.line}:${r.origin.at.start.column}: ${r.rule}: ${r.message}`,
    ),
  ];
}

/** A listed tool that is nearly this one, which is not listed. */
function nearestTool(server: Server, tool: string): string | null {
  const listed = server.tools
    .flatMap(({ allow }) => [...(allow.kind === "only" ? allow.rules : [])])
    .map((rule) => rule.text)
    .filter((text) => !isPattern(text));
  return listed.includes(tool) ? null : nearest(tool, listed);
}

export function explainCode(host: Host, code: string): Exit {
  const view = terminal(host);
  if (!isCode(code)) {
    view.diagnostics(
      [
        report("explain/unknown-code", {
          code,
          nearest: nearest(code, Object.keys(catalog)),
        }),
      ],
      new Map(),
    );
    return 1;
  }
  view.out(`${code} (${catalog[code].severity})`);
  view.out("");
  for (const line of wrap(catalog[code].explanation, 80)) view.out(line);
  return 0;
}
