// How text gets through Claude Code's `${NAME}` and `${NAME:-default}`, which have no escape: a literal `${` is written as
// the default of a variable that is never set, followed by the brace. Headers are expanded twice, everything else once.
import type { Template } from "../../src/model/model.ts";

const DOLLAR = "${FENZI_UNSET:-$}";

const write = (template: Template, opening: string): string =>
  template
    .map((part) =>
      "literal" in part
        ? part.literal.replaceAll("${", opening)
        : `\${${part.reference}}`,
    )
    .join("");

/** For a command, an argument, an environment value or a URL. */
export const written = (template: Template): string =>
  write(template, `${DOLLAR}{`);

/** For a header: what the first pass leaves, `${FENZI_UNSET:-$}{`, becomes `${` in the second. */
export const writtenInHeader = (template: Template): string =>
  write(template, `${DOLLAR}{FENZI_UNSET:-$}{`);
