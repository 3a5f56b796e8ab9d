// `${NAME}` references in text, and `$$` for a literal dollar sign. Pure.
import type { Template, TemplatePart } from "../model/model.ts";

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

type TemplateResult =
  | { readonly template: Template }
  | { readonly error: string; readonly text: string };

/** Takes text apart. `$` that starts neither `$$` nor `${` stands for itself. */
export function parseTemplate(text: string): TemplateResult {
  const parts: TemplatePart[] = [];
  let literal = "";
  for (let i = 0; i < text.length;) {
    if (text[i] !== "$") literal += text[i++];
    else if (text[i + 1] === "$") [literal, i] = [`${literal}$`, i + 2];
    else if (text[i + 1] !== "{") literal += text[i++];
    else {
      const end = text.indexOf("}", i);
      const inside = end < 0 ? text.slice(i + 2) : text.slice(i + 2, end);
      const shown = text.slice(i, end < 0 ? undefined : end + 1);
      if (end < 0)
        return {
          error: "has no closing brace; a literal `${` is written `$${`",
          text: shown,
        };
      if (/^[A-Za-z_][A-Za-z0-9_]*:/.test(inside))
        return { error: "has a default, which is not allowed", text: shown };
      if (!VARIABLE_NAME.test(inside))
        return {
          error:
            "is not a reference to a variable; a literal `${` is written `$${`",
          text: shown,
        };
      if (literal !== "") parts.push({ literal });
      literal = "";
      parts.push({ reference: inside });
      i = end + 1;
    }
  }
  if (literal !== "") parts.push({ literal });
  return { template: parts };
}

/** The text that `parseTemplate` reads as this template. */
export const printTemplate = (template: Template): string =>
  template
    .map((part) =>
      "literal" in part
        ? part.literal.replace(/\$(?=[${]|$)/g, "$$$$")
        : `\${${part.reference}}`,
    )
    .join("");

/** The text without references, or null when there is one. */
export const literalOf = (template: Template): string | null =>
  template.every((part) => "literal" in part)
    ? template.map((part) => part.literal).join("")
    : null;

export const referencesOf = (template: Template): readonly string[] =>
  template.flatMap((part) => ("reference" in part ? [part.reference] : []));

/** The value with every reference replaced, or the name of the first variable that is not set. */
export function expandTemplate(
  template: Template,
  env: Readonly<Record<string, string | undefined>>,
): { readonly text: string } | { readonly unset: string } {
  let text = "";
  for (const part of template) {
    if ("literal" in part) text += part.literal;
    else {
      const value = env[part.reference];
      if (value === undefined) return { unset: part.reference };
      text += value;
    }
  }
  return { text };
}
