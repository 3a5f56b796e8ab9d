// What a golden case shows, read from its files and not from a claim: codes, documents, rules of the merge table between
// two layers, and what of a server reached which agent. The coverage test compares this with what must be shown.
import { join } from "node:path";
import { parse } from "yaml";
import { emitters } from "../../emitters/index.ts";
import { documentOf } from "./published-schemas.ts";
import { readTree, type Tree } from "./folder-tree.ts";
import type { GoldenCase } from "./golden-case.ts";

type Entry = Readonly<Record<string, unknown>>;
interface File {
  readonly layer: "machine" | "root" | "project";
  readonly top: Entry;
  readonly servers: Readonly<Record<string, Entry>>;
}

/** All facts of a case, such as `code:merge/identity` or `merge:tools.deny:machine/project`. */
export function factsOf(golden: GoldenCase): ReadonlySet<string> {
  const expected = readTree(join(golden.folder, "expected"));
  const text = ["stdout.txt", "stderr.txt"]
    .map((name) => expected.get(name) ?? "")
    .join("");
  const files = readFiles(golden);
  return new Set([
    ...codes(text).map((code) => `code:${code}`),
    ...golden.steps
      .filter((s) => s.args.includes("--json") && s.exit < 3)
      .map((s) => `document:${documentOf(s.exit === 2 ? [] : s.args)}`),
    ...mergeFacts(files, text),
    ...agentFacts(files, expected),
  ]);
}

/** Codes in square brackets at the end of a message, or in a JSON document. */
const codes = (text: string): readonly string[] =>
  [
    ...text.matchAll(/\[([a-z]+\/[a-z0-9-]+)\]$/gm),
    ...text.matchAll(/"code": "([a-z]+\/[a-z0-9-]+)"/g),
  ].map((match) => match[1] ?? "");

/** The configuration files that count, outermost first; broken ones are left out. */
function readFiles(golden: GoldenCase): readonly File[] {
  const out: File[] = [];
  const add = (layer: File["layer"], text: string | undefined) => {
    if (text === undefined) return;
    try {
      const top = parse(text) as Entry | null;
      const servers = top?.["mcp"];
      out.push({
        layer,
        top: top ?? {},
        servers: (typeof servers === "object" ? servers : null) as never,
      });
    } catch {
      // A case about a file that does not parse shows nothing about merging.
    }
  };
  const machine = readTree(join(golden.folder, "machine"));
  const project = readTree(join(golden.folder, "project"));
  add("machine", machine.get(".config/fenzi/mcp.yaml"));
  const nested = golden.cwd === "." ? null : `${golden.cwd}/fenzi.yaml`;
  const inner = nested === null ? undefined : project.get(nested);
  if (golden.git === ".")
    add(inner === undefined ? "project" : "root", project.get("fenzi.yaml"));
  add("project", inner);
  return out.map((file) => ({ ...file, servers: file.servers ?? {} }));
}

const has = (value: unknown, path: string): boolean => {
  let here = value;
  for (const key of path.split(".")) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key))
      return false;
    here = (here as Record<string, unknown>)[key];
  }
  return true;
};

/** Keys of a server that both layers say, and what in the output shows that they met. */
const OF_A_SERVER: Readonly<Record<string, (key: string) => string>> = {
  url: (key) => `\`${key}\` of`,
  command: (key) => `\`${key}\` of`,
  cwd: (key) => `\`${key}\` of`,
  env: (key) => `\`${key}\` of`,
  headers: (key) => `\`${key}\` of`,
  token: (key) => `\`${key}\` of`,
  isolation: (key) => `\`${key}\` of`,
  allowSystemSocket: (key) => `\`${key}\` of`,
  enabled: () => "[merge/cannot-enable]",
  "tools.allow": () => "no entry allows it",
  "tools.ask": () => "asks for it",
  "tools.deny": () => "denies it",
  "limits.call": (key) => `\`${key}\` stays`,
  "limits.request": (key) => `\`${key}\` stays`,
  "limits.response": (key) => `\`${key}\` stays`,
  "limits.rate": (key) => `\`${key}\` stays`,
  "paths.read": (key) => `under \`${key}\` reaches beyond`,
  "paths.write": (key) => `under \`${key}\` reaches beyond`,
  "hosts.allow": (key) => `under \`${key}\` reaches beyond`,
  "hosts.ports": (key) => `under \`${key}\` reaches beyond`,
  "tools.reads": () => "[merge/reads-elsewhere]",
};

function mergeFacts(files: readonly File[], text: string): readonly string[] {
  const facts: string[] = [];
  for (const [i, outer] of files.entries())
    for (const inner of files.slice(i + 1)) {
      const pair = `${outer.layer}/${inner.layer}`;
      const fact = (row: string) => facts.push(`merge:${row}:${pair}`);
      for (const [key, shown] of Object.entries(OF_A_SERVER))
        for (const [name, entry] of Object.entries(outer.servers))
          if (
            has(entry, key) &&
            has(inner.servers[name], key) &&
            text.includes(shown(key))
          )
            fact(key);
      if (
        has(outer.top, "airGap") &&
        has(inner.top, "airGap") &&
        outer.top["airGap"] !== inner.top["airGap"] &&
        text.includes("`airGap` is on")
      )
        fact("airGap");
      for (const key of ["private", "secrets.refuse"])
        if (
          has(outer.top, key) &&
          has(inner.top, key) &&
          text.includes(key === "private" ? "of `private`" : "secrets.refuse:")
        )
          fact(key);
      for (const key of ["projectServers", "agents"])
        if (
          has(outer.top, key) &&
          has(inner.top, key) &&
          text.includes(`\`${key}\` belongs into the machine file`)
        )
          fact(key);
      const added = Object.keys(inner.servers).some(
        (name) => !Object.hasOwn(outer.servers, name),
      );
      if (added && Object.keys(outer.servers).length > 0) {
        fact("a whole server");
        if (text.includes("[merge/no-project-servers]"))
          fact("a whole server, forbidden");
      }
    }
  return facts;
}

/** What of a server a person can write, and how it is recognised in a file. */
const FEATURES: Readonly<Record<string, (entry: Entry) => boolean>> = {
  http: (entry) => has(entry, "url"),
  stdio: (entry) => has(entry, "command"),
  token: (entry) => has(entry, "token"),
  reference: (entry) =>
    /(?<!\$)\$\{/.test(JSON.stringify([entry["env"], entry["headers"]])),
  ask: (entry) => has(entry, "tools.ask"),
  deny: (entry) => has(entry, "tools.deny"),
  limits: (entry) => has(entry, "limits"),
  paths: (entry) => has(entry, "paths"),
  hosts: (entry) => has(entry, "hosts"),
  isolation: (entry) => has(entry, "isolation"),
  pattern: (entry) => JSON.stringify(entry["tools"] ?? null).includes("*"),
};

export const AGENT_FEATURES: readonly string[] = Object.keys(FEATURES);

/** A feature reached an agent when the case's expected files hold that agent's compiled folder with the server's name. */
function agentFacts(files: readonly File[], expected: Tree): readonly string[] {
  return emitters.flatMap(({ target }) => {
    const emitted = [...expected]
      .filter(([path]) => path.startsWith(`files/out/${target}/`))
      .map(([, text]) => text)
      .join("");
    return files.flatMap(({ servers }) =>
      Object.entries(servers)
        .filter(([name]) => emitted.includes(name))
        .flatMap(([, entry]) =>
          AGENT_FEATURES.filter((f) => FEATURES[f]?.(entry) === true).map(
            (feature) => `agent:${target}:${feature}`,
          ),
        ),
    );
  });
}
