// Codex: pointed at the scripted model by native settings.
import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

const provider = (url) => ({
  name: "scripted",
  base_url: `${url}/v1`,
  wire_api: "responses",
  env_key: "SCRIPTED_KEY",
});

// Without a repository that git knows it wants to be told that this is meant.
const exec = (prompt) => ["exec", "--skip-git-repo-check", prompt];

/** @type {import("./adapter.d.ts").Adapter} */
export const codex = {
  agent: "codex",
  command: "codex",
  executable(modules) {
    const vendor = join(
      modules,
      "@openai",
      `codex-${process.platform}-${process.arch}`,
      "vendor",
    );
    return join(vendor, readdirSync(vendor)[0], "bin", "codex");
  },
  settings: (url) => ({
    model: "scripted",
    model_provider: "scripted",
    model_providers: { scripted: provider(url) },
    // Otherwise every run waits for it at its end.
    analytics: { enabled: false },
  }),
  drive: (_url, prompt) => ({ args: exec(prompt), env: {} }),
  toolName: (server, tool) => `mcp__${server}__${tool}`,
  listsTools: true,
  patterns: false,
  hidesKeys: true,
  refused: { arg: [], env: [], header: ["LATIN"] },
  // In the compiled folder the project is untrusted in so many words, and Codex's dialogue does not change that.
  trust({ home, project }) {
    mkdirSync(join(home, ".codex"), { recursive: true });
    appendFileSync(
      join(home, ".codex", "config.toml"),
      `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
    );
  },
  untrusted: { starts: false, calls: false },
  unknownTool: ["unsupported call"],
  requiresServers: true,
  ownServer({ home, url }) {
    mkdirSync(join(home, ".codex"), { recursive: true });
    appendFileSync(
      join(home, ".codex", "config.toml"),
      `[mcp_servers.mine]\nurl = ${JSON.stringify(url)}\n`,
    );
  },
  loads: ["mine"],
  keepsUnderOnly: ["mine"],
  bare: ({ model, prompt }) => ({
    args: [
      ...Object.entries(provider(model)).flatMap(([key, value]) => [
        "-c",
        `model_providers.scripted.${key}=${JSON.stringify(value)}`,
      ]),
      "-c",
      "model_provider=scripted",
      "-c",
      "model=scripted",
      "-c",
      "analytics.enabled=false",
      ...exec(prompt),
    ],
    env: { SCRIPTED_KEY: "model-key" },
  }),
};
