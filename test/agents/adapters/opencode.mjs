// OpenCode: pointed at the scripted model by native settings, which is what `agents.opencode.config` is for.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const settings = (url) => ({
  model: "anthropic/claude-sonnet-4-5",
  small_model: "anthropic/claude-sonnet-4-5",
  provider: { anthropic: { options: { baseURL: `${url}/v1` } } },
});

/** @type {import("./adapter.d.ts").Adapter} */
export const opencode = {
  agent: "opencode",
  command: "opencode",
  executable: (modules) =>
    // The baseline build runs on every x64 processor.
    join(
      modules,
      `opencode-${process.platform}-${process.arch}${process.arch === "x64" ? "-baseline" : ""}`,
      "bin",
      "opencode",
    ),
  settings,
  drive: (_url, prompt) => ({ args: ["run", prompt], env: {} }),
  toolName: (server, tool) => `${server}_${tool}`,
  listsTools: true,
  patterns: true,
  hidesKeys: false,
  refused: { arg: [], env: [], header: ["LATIN"] },
  // OpenCode has no trust of folders.
  trust() {},
  untrusted: { starts: true, calls: true },
  unknownTool: ["unavailable tool"],
  requiresServers: false,
  ownServer({ home, url }) {
    const folder = join(home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "opencode.json"),
      JSON.stringify({ mcp: { mine: { type: "remote", url, oauth: false } } }),
    );
  },
  loads: ["mine"],
  keepsUnderOnly: [],
  bare({ home, model, prompt }) {
    const folder = join(home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), JSON.stringify(settings(model)));
    return {
      args: ["run", prompt],
      env: {
        ANTHROPIC_API_KEY: "model-key",
        // It wants to install packages for the rogue plugins first: there is no registry to wait for.
        npm_config_registry: "http://127.0.0.1:9",
        npm_config_fetch_retries: "0",
      },
    };
  },
};
