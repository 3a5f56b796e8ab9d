// The spellings of one text under which some program would open a file: trimmed, without quotes, percent signs taken
// apart as often as they were put on, compatibility characters, backslashes, `file:` URIs. Pure, linear time.

/** Percent forms that were put on more often than this are not what a person sends. */
const MOST_ROUNDS = 8;
const PERCENT = /%[0-9a-f]{2}/i;

const NETWORK =
  /^(?:https?|wss?|ftps?|sftp|ssh|git|git\+https?|git\+ssh|redis|rediss|mongodb|mongodb\+srv|postgres|postgresql|mysql|amqps?|ldaps?|smtps?|imaps?|mqtts?|telnet|data|s3|gs):/i;

/** Every form, the text itself first; "unreadable" when it never comes to an end. */
export function pathForms(text: string): readonly string[] | "unreadable" {
  const forms = new Set([trimmed(text)]);
  let taken = text;
  for (let i = 0; ; i++) {
    // eslint-disable-next-line no-control-regex
    const ascii = /^[\x00-\x7f]*$/.test(taken);
    const plain = ascii ? taken : taken.normalize("NFKC");
    const next = PERCENT.test(plain) ? decodeBytes(plain) : plain;
    if (next === taken) break;
    if (i === MOST_ROUNDS) return "unreadable";
    forms.add(trimmed(plain)).add(trimmed(next));
    taken = next;
  }
  for (const form of forms) {
    for (const uri of fileUris(form)) forms.add(uri);
    if (form.includes("\\")) forms.add(form.replaceAll("\\", "/"));
  }
  return [...forms];
}

/** Without the blanks and the quotes around it, which servers take off. */
const trimmed = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim();

/** What readers of URLs make of one: no line ends in it, another scheme before it taken off, and its path from the root. */
function fileUris(form: string): readonly string[] {
  if (!/f[\t\r\n]*i/i.test(form) || !form.includes(":")) return [];
  // eslint-disable-next-line no-control-regex
  const url = form.replace(/[\t\r\n]|^[\0-\x20]+/g, "");
  const [, path] = /^(?:[a-z][a-z0-9+.-]*:)*file:(.*)$/is.exec(url) ?? [];
  if (path === undefined) return [];
  return [`file:${path}`, ...(/^[\\/]/.test(path) ? [] : [`file:/${path}`])];
}

/** Each `%hh` as the byte it stands for; bytes that are no UTF-8 as the characters of the same number. */
function decodeBytes(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(parseInt(hex, 16)),
      );
    }
  });
}

/** A URL that leads over a network: its path is another machine's. */
const isNetworkUrl = (form: string): boolean =>
  NETWORK.test(form) && /^[a-z+]+:[\\/]{2}|^data:/i.test(form);

/** Whether a form is a path by its looks. */
export const looksLikePath = (form: string): boolean =>
  /^[/~.\\]|^[A-Za-z]:[\\/]|^file:|^\$(?:HOME|\{HOME\})$/i.test(form) ||
  (form.includes("/") && (!form.includes(":") || !isNetworkUrl(form)));

/** The path of a `file:` URI, or of another scheme without a host; null for one on another machine. */
export function withoutScheme(form: string): string | null {
  if (!form.includes(":")) return form;
  const uri = /^file:(?:[\\/]{2}([^\\/]*))?(.*)$/is.exec(form);
  if (uri !== null) {
    const [, host = "", path = ""] = uri;
    if (host !== "" && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/i.test(host))
      // Some read the first part of the path there.
      return /^(?:\.{1,2}|~|[A-Za-z]:)$/.test(host) ? host + path : null;
    return path.replace(/[?#].*$/s, "").replace(/^\/(?=[A-Za-z]:)/, "");
  }
  return /^[a-z][a-z0-9+.-]+:[\\/]{3}/i.test(form)
    ? form.replace(/^[a-z0-9+.-]+:[\\/]{2}/i, "")
    : form;
}

const PARTS = /[^\s"'`=:,;|&()<>]+/g;
/** Address and path of a URL: another machine's. */
const URLS = /\b(?:https?|wss?|ftps?|ssh|git):\/\/[^\s?#"'`<>|&;,()]*/gi;

/** The parts of a text that may name a file by themselves. */
export const partsOf = (form: string): readonly string[] => {
  const found = (form.includes("://") ? form.replace(URLS, " ") : form).match(
    PARTS,
  );
  return found === null || (found.length === 1 && found[0] === form)
    ? []
    : found;
};
