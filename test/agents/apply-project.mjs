// A project before `fenzi apply`: its `fenzi.yaml`, what a server needs, and files of the agents that the user wrote.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NEVER_ANSWERS, TELLS_HEADERS } from "./mcp-http-server.mjs";

/** `Delete_All` is refused by a rule that only folding finds, `revoked` by one that is written while the agent runs. */
export const APPLY_TOOLS = [
  "echo",
  "read_file",
  "revoked",
  "Delete_All",
  TELLS_HEADERS,
];
const LOCAL_TOOLS = ["echo", "read_file", "hidden"];

/** How long a grandchild would live, and how it is told from other processes. */
export const GRANDCHILD = "sleep 86321";

const inYaml = (words) => JSON.stringify(words);

/** `local` has a child of its own; `slow` has a tool that never answers. */
export function writeProject(world, url) {
  const write = (file, text) => {
    mkdirSync(dirname(join(world.project, file)), { recursive: true });
    writeFileSync(join(world.project, file), text);
  };
  const stdio = (name, tools) => [...world.stdio, name, tools.join(",")];
  const local = [
    "sh",
    "-c",
    `${GRANDCHILD} & exec "$@"`,
    "sh",
    ...stdio("local", LOCAL_TOOLS),
  ];
  const rules = (denied) => `version: 1
mcp:
  web:
    url: ${url}/web
    token: true
    tools: { allow: all, deny: [${denied.join(", ")}] }
  local:
    command: ${inYaml(local)}
    env: { REFERENCE: "\${REFERENCE}" }
    tools: { allow: [echo, read_file], reads: [read_file] }
    paths: { read: ["notes/**"] }
  slow:
    command: ${inYaml(stdio("slow", [NEVER_ANSWERS]))}
    tools: { allow: [${NEVER_ANSWERS}] }
    limits: { call: 2s }
`;
  write("fenzi.yaml", rules(["delete_all"]));
  write("notes/today.txt", "today\n");
  write("drafts/secret.txt", "not for a server\n");
  write(
    ".mcp.json",
    `{\r\n\t"mcpServers": { "other": { "type": "http", "url": "${url}/other" } }\r\n}\r\n`,
  );
  write(
    ".claude/settings.json",
    '{ "permissions": { "deny": ["Read(./drafts/**)"] } }',
  );
  write(".codex/config.toml", "# ours\nproject_doc_max_bytes = 4096 # small\n");
  write(
    "opencode.jsonc",
    '// ours\n{\n    "permission": { "bash": "ask", }, // always\n}\n',
  );
  return {
    /** Refuses `revoked` from now on. */
    revoke: () => write("fenzi.yaml", rules(["delete_all", "REVOKED"])),
    restore: () => write("fenzi.yaml", rules(["delete_all"])),
  };
}

/** Every path below a folder with what the file holds, to be compared. */
export const contentsOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path}: ${entry.isFile() ? readFileSync(path, "base64") : "folder"}`;
    })
    .sort();
