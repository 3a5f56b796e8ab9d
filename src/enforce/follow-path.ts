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
    const at: string[] = inside ? [...segmentsOf(folder)] : [];
    // Of these nothing is there, so that nothing below them is.
    let missing = 0;
    for (const segment of segmentsOf(
      inside ? path.slice(folder.length) : path,
    )) {
      if (segment === "..") {
        at.pop();
        if (missing > 0) missing--;
        continue;
      }
      at.push(segment);
      if (missing > 0) {
        missing++;
        continue;
      }
      const here = joined(at);
      // A drive is no name in a folder.
      if (facts.windows && at.length === 1) continue;
      const found = look(here);
      if (found === null) return null;
      if (found === "nothing") missing = 1;
      if (found !== "link") continue;
      const real = realpath(here);
      if (real === null) return null;
      at.splice(0, at.length, ...segmentsOf(real));
    }
    // A short name of Windows stands for another, which only the system knows.
    return facts.windows && missing > 0 && at.some((s) => /~\d/.test(s))
      ? null
      : joined(at);
  };
  const joined = (segments: readonly string[]): string =>
    facts.windows && /^[A-Za-z]:$/.test(segments[0] ?? "")
      ? segments.join("/") + (segments.length === 1 ? "/" : "")
      : `/${segments.join("/")}`;

  const absolute = (form: string): string | null => {
    if (form.includes("\0")) return null;
    const path = withoutScheme(form);
    if (path === null) return null;
    const [own] = HOME.exec(path) ?? [];
    if (own !== undefined) return home + path.slice(own.length);
    // Whose home that is, only a shell knows.
    if (/^~[A-Za-z_][\w.-]*(?:\/|$)/.test(path)) return null;
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
        // Nothing of the several lines is left when `..` is taken away: a program would open, or make, what is.
        (look(short) !== "nothing" || /^[^\r\n]*[\p{L}\p{N}_-]$/u.test(short))
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
