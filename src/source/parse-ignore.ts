// `.fenziignore`: one glob a line, as in `.gitignore`; `#` begins a comment, `!` takes back earlier lines of the file.
import type { Span } from "../diagnostics/diagnostic.ts";
import { positions } from "./source-file.ts";

/** The lines that say something, without the blanks around them. */
export function parseIgnore(
  file: string,
  text: string,
): readonly { readonly value: string; readonly at: Span }[] {
  const place = positions(text);
  return [...text.matchAll(/[^\r\n]+/g)].flatMap((match) => {
    const value = match[0].replace(/^\ufeff/, "").trim();
    if (value === "" || value.startsWith("#")) return [];
    const start = match.index + match[0].indexOf(value);
    return [
      {
        value,
        at: { file, start: place(start), end: place(start + value.length) },
      },
    ];
  });
}
