// Tool rules of one entry: their form, and rules that can never do anything.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { globsMeet, isPattern } from "../match/tool-pattern.ts";
import type { Path, Source } from "../source/source-file.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";

export function checkTools(
  source: Source,
  name: string,
  { tools }: ServerEntry,
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  const base: Path = ["mcp", name];
  if (tools === undefined || tools === "all") return out;
  for (const list of ["allow", "ask", "deny", "reads"] as const) {
    const rules = tools[list];
    if (rules === undefined || rules === "all") continue;
    rules.forEach((rule, i) => {
      const at = [...base, "tools", list, i];
      for (const each of checkRule(source, at, list, rule)) out.push(each);
    });
  }
  const { allow, ask } = tools;
  if (Array.isArray(allow))
    ask?.forEach((rule, i) => {
      if (!allow.some((a) => globsMeet(a, rule)))
        out.push(
          report(
            "tools/ask-not-allowed",
            { rule },
            { at: source.locate([...base, "tools", "ask", i], "value") },
          ),
        );
    });
  return out;
}

function checkRule(
  source: Source,
  path: Path,
  list: "allow" | "ask" | "deny" | "reads",
  rule: string,
): readonly Diagnostic[] {
  const at = source.locate(path, "value");
  if (rule === "")
    return [report("tools/rule", { rule, reason: "is empty" }, { at })];
  if (rule.startsWith("!"))
    return [
      report(
        "tools/rule",
        { rule, reason: "begins with `!`, but there is no negation" },
        { at, help: "list the tool under `deny`" },
      ),
    ];
  if (list === "allow" && /^\*+$/.test(rule))
    return [report("tools/lone-star", {}, { at })];
  if ((list !== "allow" && list !== "reads") || !isPattern(rule)) return [];
  const literal = rule.replaceAll("*", "");
  if (!/^[A-Za-z0-9_.-]*$/.test(literal))
    return [
      report(
        "tools/never-matches",
        {
          rule,
          reason: "patterns cover only letters, digits, `_`, `.` and `-`",
        },
        { at },
      ),
    ];
  if (literal.length > 128)
    return [
      report(
        "tools/never-matches",
        { rule, reason: "patterns cover names of at most 128 characters" },
        { at },
      ),
    ];
  return [];
}
