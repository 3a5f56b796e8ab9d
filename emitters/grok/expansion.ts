// How text gets through Grok's `${NAME}`, `${NAME:-default}` and bare `$NAME`. `$$` is a dollar sign; `config.toml` is expanded
// twice, the lists of `requirements.toml` once.
import type { Template } from "../../src/model/model.ts";

const write = (template: Template, dollar: string): string =>
  template
    .map((part) =>
      "literal" in part
        ? // As a function: in a replacement text `$` means something again.
          part.literal.replaceAll("$", () => dollar)
        : `\${${part.reference}}`,
    )
    .join("");

/** For a URL, a header, a command, an argument or an environment value. */
export const written = (template: Template): string => write(template, "$$$$");

/** For what is compared with such a value. */
export const writtenInList = (template: Template): string =>
  write(template, "$$");
