// Values that agents are known to change on their way from a file to a server, each under a key that says what is odd in it.

const range = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, i) =>
    String.fromCharCode(from + i),
  ).join("");

const EXPANSIONS = {
  DOLLARS: "$ $$ $$$ $a $1 a$ $$HOME $",
  NAME: "$HOME $PATH %HOME% $FENZI_UNSET",
  BRACES:
    "${HOME} ${NOPE} ${HOME:-x} ${NOPE:-y} $${HOME} \\${HOME} ${env:HOME} ${input:x} ${} ${1X} ${A-B}",
  NESTED: "${HOME:-${HOME}} ${NOPE:-$}{HOME} ${FENZI_UNSET:-$}{HOME}",
  ENV: "{env:HOME} {env:NOPE} {{env:HOME}} \\{env:HOME}",
  FILE: "{file:/etc/hostname} {file:nope} {file:~/x}",
  MUSTACHE: "{{session_id}} {{x}}",
  BACKSLASH: "a\\b\\\\c\\n\\u0041\\x41 \\u007benv:HOME}",
  QUOTES: `a'b"c\`d`,
};

/** For arguments and environment values: every character but NUL may stand there. */
export const texts = {
  ...EXPANSIONS,
  NEWLINE: "a\nb\r\nc\rd\n",
  TAB: "\ta\tb\t",
  BLANKS: "  a  b  ",
  BLANK: " ",
  EMPTY: "",
  ESCAPE: "\u001b[31mred\u0007\u0008\u000b\u000c\u007f\u0001\u001f\u009b",
  LETTERS: "ÄÖß é e\u0301 漢字 עברית",
  EMOJI: "👩‍💻🇨🇭",
  SEPARATORS: "a\u2028b\u2029c\u0085d\u00a0e\ufefff\u200bg\u202eh",
  JSON: '{"a": [1, null]} // x /* y */ ,]',
  TOML: "'''\"\"\"\n[x]\na = 1 # b",
  SHELL: "* ? [a] {a,b} ~ ~/x !x; rm | & > < #",
  FLAG: "--x=y",
  EVERY: range(0x01, 0x2ff),
};

/** For header values: what RFC 9110 allows, blanks and tabs only between visible characters. */
export const headers = {
  ...EXPANSIONS,
  VISIBLE: range(0x21, 0x7e),
  INNER: "a  b\tc \t d",
  LATIN: `x${range(0xa0, 0xff)}x`,
};

/** As `fenzi.yaml` says it: `$$` is a dollar sign, and what YAML would not print is escaped. */
export const inYaml = (text) =>
  JSON.stringify(text.replaceAll("$", "$$$$")).replace(
    /[\u007f-\u00a0\u200b-\u200f\u2028-\u202e\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
