// The files that no call may name: those of the list below always, and what `private` and `.fenziignore` add. Compared
// without regard to case, Unicode form and what some systems leave out at the end of a name. Linear time.
import { pathMatches, segmentsOf } from "../match/path-glob.ts";
import { foldName } from "../match/tool-pattern.ts";
import type {
  CommonRules,
  Origin,
  OwnPlaces,
  PrivateList,
} from "../model/model.ts";

/** Names, wherever they stand in a path; what lies below them is private as well. */
const NAMES: ReadonlySet<string> = new Set([
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".git",
  ".git-credentials",
  ".env",
  ".envrc",
  ".vault-token",
  ".password-store",
  ".bash_history",
  ".zsh_history",
  ".histfile",
  ".sh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
  ".sqlite_history",
  "fish_history",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
]);

/** Ends of names: keys and key stores. */
const ENDS: ReadonlySet<string> = new Set([
  ".pem",
  ".p12",
  ".pfx",
  ".jks",
  ".keystore",
  ".kdbx",
  ".ppk",
  ".key",
]);
/** `.env.local`, but not what is there to be copied. */
const ENVIRONMENTS = /^\.env\.(?!(?:example|sample|template|dist)$)/;

const SEQUENCES: readonly (readonly string[])[] = [
  "**/.config/gh/**",
  "**/.config/gcloud/**",
  "**/.docker/config.json",
  "**/.codex/auth.json",
  "**/.claude/.credentials.json",
  "**/.local/share/keyrings/**",
  "**/library/keychains/**",
  "etc/shadow",
  "etc/gshadow",
  "proc/**/environ",
  "proc/*/mem",
  // Ways around every other rule: they lead to whatever another process sees.
  "proc/**/root/**",
  "proc/**/cwd/**",
  "proc/**/fd/**",
  "dev/fd/**",
].map((glob) => glob.split("/"));
/** A path without any of these names matches none of them. */
const IN_SEQUENCES: ReadonlySet<string> = new Set(
  SEQUENCES.flat().filter((name) => !name.includes("*")),
);

/** What makes a path private. */
interface PrivateHit {
  readonly kind: "built-in" | "own" | PrivateList["kind"];
  /** The rule as written. */
  readonly text: string;
  /** Null for what always holds. */
  readonly origin: Origin | null;
}

export type PrivateMatcher = (path: string) => PrivateHit | null;

/** A name as every system that may open it reads it: without case, blanks and dots at its end, and streams. */
const fold = (segment: string): string =>
  (segment.includes("*")
    ? foldName(segment)
    : foldName(segment).replace(/:.*$/s, "")
  ).replace(/\.+$/, "");

/** What `fold` changes nothing in but the case, in a path without a dot at the end of a name. */
const VISIBLE = /^[!-9;-[\]-~]*$/;

const foldPath = (path: string): readonly string[] =>
  VISIBLE.test(path) && !path.includes("./") && !path.endsWith(".")
    ? segmentsOf(path.toLowerCase())
    : segmentsOf(path.replaceAll("\\", "/"))
        .map(fold)
        .filter((segment) => segment !== "");

export function privateMatcher(
  rules: Pick<CommonRules, "private" | "own">,
): PrivateMatcher {
  const own = rules.own.folders.map(foldPath);
  const lists = rules.private.map((list) => preparedList(list, rules.own));
  return (path) => {
    const segments = foldPath(path);
    const built = builtIn(segments);
    if (built !== null) return { kind: "built-in", text: built, origin: null };
    if (own.some((folder) => startsWith(segments, folder)))
      return { kind: "own", text: "", origin: null };
    for (const list of lists) {
      const hit = list(segments);
      if (hit !== null) return hit;
    }
    return null;
  };
}

function builtIn(segments: readonly string[]): string | null {
  let mayMatch = false;
  for (const segment of segments) {
    if (NAMES.has(segment)) return segment;
    if (IN_SEQUENCES.has(segment)) mayMatch = true;
    const dot = segment.lastIndexOf(".");
    if (dot < 0) continue;
    if (ENVIRONMENTS.test(segment)) return ".env.*";
    const end = segment.slice(dot);
    if (ENDS.has(end)) return `*${end}`;
  }
  if (!mayMatch) return null;
  return (
    SEQUENCES.find((glob) => pathMatches(glob, segments))?.join("/") ?? null
  );
}

const startsWith = (
  segments: readonly string[],
  folder: readonly string[],
): boolean =>
  folder.length > 0 && folder.every((name, i) => segments[i] === name);

/** The last line that matches a path or a folder above it decides. */
function preparedList(
  list: PrivateList,
  { home }: OwnPlaces,
): (segments: readonly string[]) => PrivateHit | null {
  const folder = foldPath(list.folder);
  const lines = list.lines.map(({ value, origin }) => {
    const line = readLine(value, list.kind);
    const text = line.glob.startsWith("~/")
      ? home + line.glob.slice(1)
      : line.glob;
    return {
      ...line,
      absolute: line.absolute || text !== line.glob,
      glob: [...(line.anywhere ? ["**"] : []), ...foldPath(text), "**"],
      hit: { kind: list.kind, text: value, origin } satisfies PrivateHit,
    };
  });
  return (segments) => {
    const inside = startsWith(segments, folder);
    // What stands above the folder is no matter of a name that is looked for below it.
    const below = inside ? segments.slice(folder.length) : segments;
    let hit: PrivateHit | null = null;
    for (const line of lines) {
      const path = line.absolute ? segments : below;
      if (
        (inside || line.absolute || line.anywhere) &&
        pathMatches(line.glob, path)
      )
        hit = line.negated ? null : line.hit;
    }
    return hit;
  };
}

interface Line {
  readonly negated: boolean;
  /** Without a slash in it: at any depth. */
  readonly anywhere: boolean;
  readonly absolute: boolean;
  readonly glob: string;
}

function readLine(text: string, kind: PrivateList["kind"]): Line {
  if (kind === "private") {
    const absolute = /^(?:\/|~\/|[A-Za-z]:\/)/.test(text);
    return {
      negated: false,
      anywhere: !absolute && !text.replace(/\/+$/, "").includes("/"),
      absolute,
      glob: text,
    };
  }
  const negated = text.startsWith("!");
  const bare = (negated ? text.slice(1) : text)
    .replace(/^\\(?=[#!])/, "")
    .replace(/\/+$/, "");
  // What is not said here as in `.gitignore` makes more private, and takes back nothing.
  const glob = negated ? bare : bare.replace(/\[[^\]/]*\]|\?/g, "*");
  return {
    negated,
    anywhere: !glob.includes("/"),
    absolute: false,
    glob,
  };
}
