// Every string of a valid JSON text, names included, in order. One pass, nothing kept.

interface StringToken {
  readonly start: number;
  readonly end: number;
  readonly isName: boolean;
  /** For a value: the last name before it, as written; null for a name, and where there is none. */
  readonly name: string | null;
}

export function* stringsOf(text: string): Generator<StringToken> {
  let name: string | null = null;
  for (let i = text.indexOf('"'); i >= 0; i = text.indexOf('"', i)) {
    const start = i;
    i = endOfString(text, start);
    let next = i;
    while (" \n\r\t".includes(text.charAt(next)) && next < text.length) next++;
    const isName = text[next] === ":";
    yield { start, end: i, isName, name: isName ? null : name };
    name = isName ? text.slice(start + 1, i - 1) : null;
  }
}

/** The value of a string token. */
export function valueOf(text: string, { start, end }: StringToken): string {
  const raw = text.slice(start, end);
  return raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

/** The offset behind the closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1; ; end++) {
    end = text.indexOf('"', end);
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
}
