// Names of servers: the form that all agents take and compose into tool names without loss. Pure.

const SERVER_NAME = /^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$/;
export const SERVER_NAME_LENGTH = 40;
const RESERVED_NAMES: readonly string[] = [
  "workspace",
  "claude-in-chrome",
  "computer-use",
  "codex_apps",
];

/** The form in which names must be unique: case and `-` versus `_` do not count. */
export const foldServerName = (name: string): string =>
  name.toLowerCase().replaceAll("-", "_");

export const isReservedName = (name: string): boolean =>
  RESERVED_NAMES.some((r) => foldServerName(r) === foldServerName(name));

/** True when `longer` is `shorter` followed by `_`: OpenCode would compose equal tool names from the two. */
export const isPrefixPair = (shorter: string, longer: string): boolean =>
  longer.toLowerCase().startsWith(`${shorter.toLowerCase()}_`);

/** What stands before each `_` of a name, in lower case: the shorter ones with which it forms such a pair. */
export const beginnings = (name: string): readonly string[] =>
  [...name.toLowerCase().matchAll(/_/g)].map((m) =>
    name.toLowerCase().slice(0, m.index),
  );

/** What is wrong with a name, or null. */
export function nameProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (name.length > SERVER_NAME_LENGTH)
    return `has ${name.length} characters; at most ${SERVER_NAME_LENGTH} are allowed`;
  if (!SERVER_NAME.test(name))
    return "must start with a letter and have letters, digits and single `-` or `_` between them";
  return null;
}

/** The variable that holds a server's token for an agent: `FENZI_MCP_` and the name in upper case. */
export const tokenVariable = (name: string): string =>
  `FENZI_MCP_${name.toUpperCase().replaceAll("-", "_")}`;

/** The variable from which CI gives a token to the vault. */
export const vaultVariable = (name: string): string =>
  `FENZI_VAULT_${name.toUpperCase().replaceAll("-", "_")}`;
