// Follows the paths of one call to where they lead. What was looked at is remembered for that call, so that a path costs
// no more than its own last name.
import { isAbsolute, segmentsOf } from "../match/path-glob.ts";
import { foldName } from "../match/tool-pattern.ts";
import type { ArgumentPolicy, NamedPath } from "../policy/argument-rules.ts";
import type { Facts } from "./facts.ts";
import { withoutScheme } from "./path-forms.ts";

export interface Followed {
  follow(form: string): Pick<NamedPath, "written" | "real">;
  /** Whether something of that name stands in the server's folder. */
  isThere(name: string): boolean;
  /** Those that stand there, and perhaps some that do not. */
  among(names: readonly string[]): readonly string[];
  /** Whether a text of several lines leads to something, or at least begins at something. */
  names(form: string): boolean;
  tooMany(): boolean;
}

const LONGEST_PATH = 4_096;
/** Of several lines, or of too long a text, one name is left when `..` is taken away: a program would make what it names. */
const isShortened = (form: string, short: string): boolean =>
  (form.length > LONGEST_PATH || /[\r\n]/.test(form)) &&
  /^[^\r\n]*[\p{L}\p{N}_-]$/u.test(short);
/** What shells and servers put the home in the place of. */
const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

/** The names of a list as they are compared. */
const folded = new WeakMap<readonly string[], ReadonlySet<string>>();

export function followPaths(
  {
    folder,
    folderIsReal,
    home,
  }: Pick<ArgumentPolicy, "folder" | "folderIsReal" | "home">,
  facts: Facts,
  most: number,
): Followed {
  const looked = new Map<string, ReturnType<Facts["look"]>>();
  const led = new Map<string, string | null>();
  let tooMany = false;

  const look = (path: string): ReturnType<Facts["look"]> => {
    const known = looked.get(path);
    if (known !== undefined) return known;
    if (path.length > LONGEST_PATH) return "nothing";
    if (looked.size >= most) {
      tooMany = true;
      return null;
    }
    const found = facts.look(path);
    looked.set(path, found);
    return found;
  };
  const realpath = (path: string): string | null => {
    const known = led.get(path);
    if (known !== undefined) return known;
    const found = facts.realpath(path);
    const real =
      found !== null && facts.windows ? found.replaceAll("\\", "/") : found;
    led.set(path, real);
    return real;
  };

  /** Segment by segment as the system does it: links followed, `..` from where they lead. */
  const lead = (path: string): string | null => {
    const inside = folderIsReal && path.startsWith(`${folder}/`);
    let at = inside ? tidy(folder) : "";
    // Of these nothing is there, so that nothing below them is.
    let missing = 0;
    for (const segment of segmentsOf(
      inside ? path.slice(folder.length) : path,
    )) {
      if (segment === "..") {
        at = at.slice(0, Math.max(0, at.lastIndexOf("/")));
        if (missing > 0) missing--;
        continue;
      }
      const isFirst = at === "";
      at = isFirst && isDrive(segment) ? segment : `${at}/${segment}`;
      if (missing > 0) {
        missing++;
        continue;
      }
      // A drive is no name in a folder.
      if (facts.windows && isFirst) continue;
      const found = look(at);
      if (found === null) return null;
      if (found === "nothing") missing = 1;
      if (found !== "link") continue;
      const real = realpath(at);
      if (real === null) return null;
      at = tidy(real);
    }
    // A short name of Windows stands for another, which only the system knows.
    if (facts.windows && missing > 0 && /~\d/.test(at)) return null;
    return at === "" || isDrive(at) ? `${at}/` : at;
  };
  const isDrive = (name: string): boolean =>
    facts.windows && /^[A-Za-z]:$/.test(name);
  const joined = (segments: readonly string[]): string =>
    isDrive(segments[0] ?? "")
      ? segments.join("/") + (segments.length === 1 ? "/" : "")
      : `/${segments.join("/")}`;
  /** Without a slash at its end, also the root of a disk. */
  const tidy = (path: string): string =>
    path.startsWith("/") && !/\/(?:\/|\.\/|\.?$)/.test(path)
      ? path
      : joined(segmentsOf(path)).replace(/\/$/, "");

  const absolute = (form: string): string | null => {
    if (form.includes("\0")) return null;
    const path = withoutScheme(form);
    if (path === null) return null;
    const [own] = HOME.exec(path) ?? [];
    if (own !== undefined) return home + path.slice(own.length);
    // Whose home that is, only a shell knows.
    if (path.startsWith("~") && /^~[A-Za-z_][\w.-]*(?:\/|$)/.test(path))
      return null;
    if (facts.windows && /^[\\/]{2}/.test(path)) {
      const [, rest = null] =
        /^[\\/]{2}[?.][\\/]([A-Za-z]:[\\/].*)$/s.exec(path) ?? [];
      return rest;
    }
    return isAbsolute(path) ? path : `${folder}/${path}`;
  };
  /** Without `..`, as programs take paths together before they open them. */
  const lexical = (path: string): string => {
    if (!path.includes("..") && !path.includes("./") && !path.includes("//"))
      return path;
    const out: string[] = [];
    for (const segment of segmentsOf(path))
      if (segment === "..") out.pop();
      else out.push(segment);
    return joined(out);
  };

  return {
    isThere: (name) => look(`${folder}/${name}`) !== "nothing",
    among(names) {
      const list = facts.list(folder);
      let there = folded.get(list);
      if (there === undefined)
        folded.set(list, (there = new Set(list.map(foldName))));
      const known = there;
      return names.filter((name) => known.has(foldName(name)));
    },
    names(form) {
      const path = absolute(form);
      if (path === null) return false;
      const short = lexical(path);
      if (
        short.length <= LONGEST_PATH &&
        (look(short) !== "nothing" || isShortened(form, short))
      )
        return true;
      // A text that only mentions `../x` leads nowhere; one that begins with `/etc/` may be a list of files.
      const [first = ""] = segmentsOf(path.slice(0, LONGEST_PATH));
      return (
        path !== `${folder}/${form}` && look(joined([first])) !== "nothing"
      );
    },
    follow(form) {
      const path = absolute(form);
      if (path === null) return { written: [], real: null };
      const short = lexical(path);
      const direct = lead(short);
      if (direct === null) return { written: [short], real: null };
      if (short === path || !path.includes(".."))
        return { written: [short], real: [direct] };
      const walked = lead(path);
      return {
        written: [short],
        real:
          walked === null
            ? null
            : walked === direct
              ? [direct]
              : [direct, walked],
      };
    },
    tooMany: () => tooMany,
  };
}
