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
  among(names: readonly string[], facts: Facts): readonly string[];
  /** Whether a text of several lines leads to something, or at least begins at something. */
  names(form: string): boolean;
  tooMany(): boolean;
}

const LONGEST_PATH = 4_096;

export function followPaths(
  { folder, home }: Pick<ArgumentPolicy, "folder" | "home">,
  facts: Facts,
  most: number,
): Followed {
  const looked = new Map<string, ReturnType<Facts["look"]>>();
  const led = new Map<string, string | null>();
  /** Names of which nothing stands in the folder. */
  const absent = new Set<string>();
  let looks = 0;
  let tooMany = false;

  const lookOnce = (path: string): ReturnType<Facts["look"]> => {
    if (path.length > LONGEST_PATH) return "nothing";
    if (looks >= most) {
      tooMany = true;
      return null;
    }
    looks++;
    return facts.look(path);
  };
  const look = (path: string): ReturnType<Facts["look"]> => {
    const known = looked.get(path);
    if (known !== undefined) return known;
    const found = lookOnce(path);
    if (!tooMany) looked.set(path, found);
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
    const inside = path.startsWith(`${folder}/`);
    const base = inside ? realpath(folder) : null;
    let at = inside ? tidy(base ?? folder) : "";
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
      // A drive is no name in a folder.
      const isFirst = at === "";
      at = isFirst && isDrive(segment) ? segment : `${at}/${segment}`;
      if (missing > 0) {
        missing++;
        continue;
      }
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
    return facts.windows && missing > 0 && /~\d/.test(at) ? null : whole(at);
  };
  const isDrive = (name: string): boolean =>
    facts.windows && /^[A-Za-z]:$/.test(name);
  /** Without a slash at its end, also the root of a disk. */
  const tidy = (path: string): string =>
    path.startsWith("/") && !/\/(?:\/|\.\/|\.?$)/.test(path)
      ? path
      : joined(segmentsOf(path)).replace(/\/$/, "");
  const whole = (at: string): string =>
    at === "" || isDrive(at) ? `${at}/` : at;
  const joined = (segments: readonly string[]): string =>
    isDrive(segments[0] ?? "")
      ? segments.join("/") + (segments.length === 1 ? "/" : "")
      : `/${segments.join("/")}`;

  const absolute = (form: string): string | null => {
    if (form.includes("\0")) return null;
    const path = withoutScheme(form);
    if (path === null) return null;
    if (path === "~" || path.startsWith("~/")) return home + path.slice(1);
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
    isThere(name) {
      if (absent.has(name)) return false;
      if (lookOnce(`${folder}/${name}`) !== "nothing") return true;
      absent.add(name);
      return false;
    },
    among(names) {
      const there = new Set(facts.list(folder).map(foldName));
      return names.filter((name) => there.has(foldName(name)));
    },
    names(form) {
      const path = absolute(form);
      if (path === null) return false;
      const short = lexical(path);
      if (short.length <= LONGEST_PATH && look(short) !== "nothing")
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
