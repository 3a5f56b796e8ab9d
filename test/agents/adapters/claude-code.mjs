// Claude Code: pointed at the scripted model by its base URL.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const model = (url) => ({ ANTHROPIC_BASE_URL: url });

/** Sets what the trust dialogue sets, and keeps what the agent wrote. It is the repository that is trusted. */
function trustIn(file, repository) {
  let settings = {};
  try {
    settings = JSON.parse(readFileSync(file, "utf8"));
  } catch (problem) {
    if (problem.code !== "ENOENT") throw problem;
  }
  settings.hasCompletedOnboarding = true;
  settings.projects = {
    ...settings.projects,
    [repository]: {
      ...settings.projects?.[repository],
      hasTrustDialogAccepted: true,
    },
  };
  writeFileSync(file, JSON.stringify(settings));
}

/** @type {import("./adapter.d.ts").Adapter} */
export const claudeCode = {
  agent: "claude-code",
  command: "claude",
  executable: (modules) =>
    join(
      modules,
      "@anthropic-ai",
      `claude-code-${process.platform}-${process.arch}`,
      "claude",
    ),
  settings: () => null,
  drive: (url, prompt) => ({ args: ["-p", prompt], env: model(url) }),
  toolName: (server, tool) => `mcp__${server}__${tool}`,
  listsTools: true,
  patterns: true,
  hidesKeys: true,
  refused: { arg: [], env: [], header: [] },
  trust({ folder, home, repository }) {
    const own = join(folder, "home");
    mkdirSync(own, { recursive: true });
    trustIn(join(own, ".claude.json"), repository);
    trustIn(join(home, ".claude.json"), repository);
  },
  untrusted: { starts: true, calls: false },
  approved: {
    args: ["mcp", "list"],
    says: (server) => new RegExp(`^${server}: .*Connected`, "m"),
  },
  unknownTool: ["No such tool"],
  requiresServers: false,
  ownServer: ({ home, url }) =>
    writeFileSync(
      join(home, ".claude.json"),
      JSON.stringify({ mcpServers: { mine: { type: "http", url } } }),
    ),
  loads: ["mine", "other"],
  keepsUnderOnly: ["mine"],
  bare: ({ model: url, prompt }) => ({
    args: ["-p", prompt],
    env: { ...model(url), ANTHROPIC_API_KEY: "model-key" },
  }),
};
