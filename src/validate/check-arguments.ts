// What is wrong with rules about arguments: globs, hosts, ports, rates, and expressions that cannot be read.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import { parseExpression } from "../match/expression.ts";
import { hostOf } from "../match/named-hosts.ts";
import { parseRate } from "../match/rate.ts";
import type { Path, Source } from "../source/source-file.ts";
import type { MachineFile, ServerEntry } from "../../schemas/fenzi.ts";

/** Of one server. */
export function checkArguments(
  source: Source,
  name: string,
  { paths, hosts, limits }: ServerEntry,
): readonly Diagnostic[] {
  const place = (...path: Path): Span =>
    source.locate(["mcp", name, ...path], "value");
  const out: Diagnostic[] = [];
  for (const key of ["read", "write"] as const)
    paths?.[key]?.forEach((glob, i) => {
      for (const each of checkGlob(glob, place("paths", key, i)))
        out.push(each);
    });
  hosts?.allow?.forEach((rule, i) => {
    const reason = hostProblem(rule);
    if (reason !== null)
      out.push(
        report(
          "server/host-rule",
          { rule, reason },
          { at: place("hosts", "allow", i) },
        ),
      );
  });
  hosts?.ports?.forEach((port, i) => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      out.push(
        report("server/port", { port }, { at: place("hosts", "ports", i) }),
      );
  });
  if (limits?.rate !== undefined && parseRate(limits.rate) === null)
    out.push(
      report(
        "server/rate",
        { text: limits.rate },
        { at: place("limits", "rate") },
      ),
    );
  return out;
}

/** Of the whole file. */
export function checkCommon(
  source: Source,
  value: MachineFile,
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  value.private?.forEach((glob, i) => {
    const at = source.locate(["private", i], "value");
    for (const each of checkGlob(glob, at)) out.push(each);
  });
  for (const key of ["refuse", "redact"] as const)
    value.secrets?.[key]?.forEach((text, i) => {
      const parsed = parseExpression(text);
      if ("problem" in parsed)
        out.push(
          report(
            "secrets/expression",
            { reason: parsed.problem },
            { at: source.locate(["secrets", key, i], "value") },
          ),
        );
    });
  return out;
}

function checkGlob(glob: string, at: Span): readonly Diagnostic[] {
  const reason = globProblem(glob);
  return reason === null
    ? []
    : [
        report(
          "server/path-rule",
          { rule: glob, reason },
          {
            at,
            help: glob.startsWith("!")
              ? "a `.fenziignore` can take back lines of its own"
              : null,
          },
        ),
      ];
}

function globProblem(glob: string): string | null {
  if (glob.trim() === "" || /^[./]+$/.test(glob))
    return "names no file; the whole folder is `**`";
  if (glob.startsWith("!")) return "begins with `!`, but there is no negation";
  if (glob.includes("\\")) return "has a backslash; segments end with `/`";
  if (glob.split("/").includes("..")) return "has a `..` in it";
  if (/^~(?!\/)/.test(glob)) return "names the home of somebody; write `~/`";
  if (/[\0-\x1f]/.test(glob)) return "has a control character in it";
  // A run of stars that is no segment alone is read in two ways elsewhere.
  return glob.split("/").some((s) => s.includes("**") && s !== "**")
    ? "has `**` beside other characters; it stands for whole segments"
    : null;
}

function hostProblem(rule: string): string | null {
  if (rule.includes("://") || rule.includes("/"))
    return "is an address with a path; write the host alone";
  const name = rule.startsWith("*.") ? rule.slice(2) : rule;
  if (name.includes("*"))
    return "has a `*` elsewhere than in `*.` at its beginning";
  if (/:\d+$/.test(name) && !name.includes("::"))
    return "has a port; ports are listed under `ports`";
  const host = hostOf(name);
  return host === null || name === "" ? "is not the name of a host" : null;
}
