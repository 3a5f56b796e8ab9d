// The command by which an agent reaches a server through `fenzi guard`, and how it is recognised in a file.

export const guardWords = (server: string): readonly [string, ...string[]] => [
  "fenzi",
  "guard",
  server,
];

/** Keys of a server's entry that Fenzi writes. */
const OWN_KEYS = new Set([
  "type",
  "command",
  "args",
  "timeout",
  "enabled",
  "alwaysLoad",
]);

/** Whether a JSON value is an entry that starts the guard of this server. `exactly`: and says nothing that Fenzi does not. */
export function isGuardEntry(
  value: unknown,
  server: string,
  exactly: boolean,
): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { command, args } = value as { command?: unknown; args?: unknown };
  const words = [command, args].flat().filter((word) => word !== undefined);
  const wanted = guardWords(server);
  return (
    words.length === wanted.length &&
    wanted.every((word, i) => words[i] === word) &&
    (!exactly || Object.keys(value).every((key) => OWN_KEYS.has(key)))
  );
}
