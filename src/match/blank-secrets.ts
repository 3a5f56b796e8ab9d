// A text as it may be shown: every secret that can be recognised is written over, character by character, so that places
// in the text stay where they are. Validation refuses secrets; this is for what is said about a text that holds one.
import { findSecret, findSecrets } from "./secret.ts";
import { promiseOf } from "./secret-name.ts";
import type { Range } from "./secret-form.ts";

/**
 * `text`: what people read, where a colon is mostly no assignment. `source`: a line of a configuration file, where it is
 * one.
 */
export function blankSecrets(
  text: string,
  kind: "text" | "source" = "text",
): string {
  const bare = withoutDefaults(text);
  const found = [
    ...findSecrets(text, { kind }),
    ...(bare === text ? [] : findSecrets(bare, { kind })),
    ...behindFlags(text),
  ].sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of found) {
    if (end <= from) continue;
    parts.push(text.slice(from, Math.max(from, start)));
    from = Math.max(from, start);
    parts.push("*".repeat(end - from));
    from = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}

/** `${NAME:-value}` read as `NAME= value`: as long as it was. */
const withoutDefaults = (text: string): string =>
  text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]{0,100})(:?[-=?+])/g,
    (_, name: string, sign: string) =>
      `  ${name}${sign === "-" ? "=" : "= "}`.slice(
        0,
        2 + name.length + sign.length,
      ),
  );

/** Words behind a flag that promises a secret, where a command stands in one text. */
const behindFlags = (text: string): readonly Range[] =>
  [
    ...text.matchAll(
      /(?<![^\s"'`[,])(--?[A-Za-z][A-Za-z0-9_-]{0,80})["']?,?[ \t]{1,4}["']?([^\s"'`,[\]]+)/g,
    ),
  ].flatMap((match) => {
    const [whole, flag = "", value = ""] = match;
    const start = match.index + whole.length - value.length;
    return promiseOf(flag) === "none" ||
      findSecret(value, { kind: "word", before: flag }) === null
      ? []
      : [{ start, end: start + value.length }];
  });
