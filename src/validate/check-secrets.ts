// Secrets in what a file says: none gets into an agent's file, a diff or a list. Each text of a server and of an agent's
// own settings is judged by the name it stands under; `# fenzi: not a secret` at the end of its line silences that.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import {
  findSecret,
  hasSecretForm,
  type SecretPlace,
} from "../match/secret.ts";
import { VARIABLE_NAME } from "../match/template.ts";
import type { MachineFile, ServerEntry } from "../../schemas/fenzi.ts";
import type { Path, Source } from "../source/source-file.ts";

/** A name that may be shown, and the place of what it names. */
interface Where {
  readonly key: string;
  readonly path: Path;
  readonly what: "key" | "value";
}

/** Of one server; its URL and an `Authorization` header are refused with other words elsewhere. */
export function checkServerSecrets(
  source: Source,
  name: string,
  entry: ServerEntry,
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  const base: Path = ["mcp", name];
  const check = (text: string, place: SecretPlace, where: Where) => {
    if (findSecret(text, place) === null) return;
    const at = source.locate(where.path, where.what);
    if (source.silenced(at)) return;
    const member = String(where.path[2]);
    const refers = where.what === "value" && REFERRING.includes(member);
    const reference =
      member !== "command" && VARIABLE_NAME.test(where.key)
        ? where.key
        : "NAME";
    out.push(
      report(
        "server/secret",
        { key: where.key, reference },
        {
          at,
          help: refers
            ? `write \`\${${reference}}\` and set the variable, or ${SILENCE}`
            : SILENCE,
        },
      ),
    );
  };
  const word = (text: string, key: string, ...rest: Path) =>
    check(text, TEXT, { key, path: [...base, ...rest], what: "value" });
  const called = (text: string, key: string, ...rest: Path) =>
    check(text, TEXT, { key, path: [...base, ...rest], what: "key" });

  called(name, "mcp");
  entry.command?.forEach((text, i) =>
    check(
      text,
      { kind: "word", before: entry.command?.[i - 1] ?? null },
      { key: "command", path: [...base, "command", i], what: "value" },
    ),
  );
  for (const [key, text] of Object.entries(entry.env ?? {})) {
    const path = [...base, "env", key];
    called(key, "env", "env", key);
    check(text, { kind: "env", name: key }, { key, path, what: "value" });
  }
  for (const [key, text] of Object.entries(entry.headers ?? {})) {
    const path = [...base, "headers", key];
    called(key, "headers", "headers", key);
    if (key.toLowerCase() !== "authorization")
      check(text, { kind: "header", name: key }, { key, path, what: "value" });
  }
  if (typeof entry.token === "object")
    word(entry.token.header, "header", "token", "header");
  if (entry.cwd !== undefined) word(entry.cwd, "cwd", "cwd");
  if (typeof entry.isolation === "object")
    word(entry.isolation.image, "image", "isolation", "image");
  if (typeof entry.tools === "object")
    for (const list of ["allow", "ask", "deny", "reads"] as const) {
      const rules = entry.tools[list];
      if (Array.isArray(rules))
        rules.forEach((rule, i) => word(rule, list, "tools", list, i));
    }
  for (const [key, more] of [
    ["paths", ["read", "write"]],
    ["hosts", ["allow"]],
  ] as const) {
    const lists: Readonly<Record<string, unknown>> = entry[key] ?? {};
    for (const member of more) {
      const rules = lists[member];
      if (Array.isArray(rules))
        rules.forEach((rule: string, i) => word(rule, member, key, member, i));
    }
  }
  return out;
}

/** Where a reference to a variable can stand. */
const REFERRING = ["command", "env", "headers"];
const SILENCE = "end the line with `# fenzi: not a secret`";
const TEXT: SecretPlace = { kind: "text" };

/** How each agent's own settings name a secret instead of holding it. */
const INSTEAD: Readonly<Record<string, string>> = {
  "claude-code": "`apiKeyHelper` names a program that prints it",
  codex: "`env_key` and `env_http_headers` take the name of a variable",
  opencode: "write `{env:NAME}`",
  grok: "set a variable where the agent starts",
};

/** Of the agents' own settings: they are written into the agent's file as they are. */
export function checkSettingsSecrets(
  source: Source,
  agents: MachineFile["agents"],
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  for (const [agent, settings] of Object.entries(agents ?? {})) {
    const found = (path: Path, what: "key" | "value") => {
      const at = source.locate(path, what);
      if (source.silenced(at)) return;
      const key = String(path.findLast((step) => typeof step === "string"));
      out.push(
        report(
          "schema/secret-in-settings",
          { key, agent },
          {
            at,
            help: `${INSTEAD[agent] ?? "name a variable"}, or ${SILENCE}`,
          },
        ),
      );
    };
    const walk = (
      value: unknown,
      path: Path,
      places: readonly SecretPlace[],
    ): void => {
      if (Array.isArray(value))
        value.forEach((item: unknown, i) => {
          const last: unknown = value[i - 1];
          const before = typeof last === "string" ? last : null;
          walk(item, [...path, i], [...places, { kind: "word", before }]);
        });
      else if (typeof value === "object" && value !== null)
        for (const [key, inner] of Object.entries(value)) {
          if (findSecret(key, TEXT) !== null) found([...path, key], "key");
          walk(inner, [...path, key], [{ kind: "env", name: key }]);
        }
      else if (typeof value === "string" || typeof value === "number") {
        const text = String(value);
        if (
          !namesVariable(text, path) &&
          places.some((place) => findSecret(text, place) !== null)
        )
          found(path, "value");
      }
    };
    walk(settings?.config ?? {}, ["agents", agent, "config"], []);
  }
  return out;
}

/** `env_key: NAME`, `bearer_token_env_var: NAME`, `env_http_headers: { X-Key: NAME }`: the name, not the secret. */
const namesVariable = (text: string, path: Path): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(text) &&
  !hasSecretForm(text) &&
  path.some((step) => /_env|env_|[a-z]Env|env[A-Z]/.test(String(step)));
