// Grok: pointed at the scripted model by native settings.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const KEY = "SCRIPTED_KEY";
const model = (url) => ({
  model: "scripted",
  base_url: `${url}/v1`,
  env_key: KEY,
  context_window: 200_000,
});

const trustIn = (folder, project) => {
  mkdirSync(folder, { recursive: true });
  appendFileSync(
    join(folder, "trusted_folders.toml"),
    `[folders.${JSON.stringify(project)}]\ntrusted = true\ndecided_at = 1\n`,
  );
};

/** @type {import("./adapter.d.ts").Adapter} */
export const grok = {
  agent: "grok",
  command: "grok",
  // The package holds the program compressed.
  executable(modules) {
    const bin = join(
      modules,
      "@xai-official",
      `grok-${process.platform}-${process.arch}`,
      "bin",
    );
    const program = join(bin, "grok");
    if (!existsSync(program)) {
      const part = `${program}.part`;
      const packed = readFileSync(join(bin, "grok.br"));
      writeFileSync(part, brotliDecompressSync(packed), { mode: 0o755 });
      renameSync(part, program);
    }
    return program;
  },
  settings: (url) => ({
    models: { default: "scripted" },
    model: { scripted: model(url) },
  }),
  drive: (_url, prompt) => ({
    args: ["-p", prompt, "--output-format", "streaming-json"],
    env: {},
  }),
  toolName: (server, tool) => `${server}__${tool}`,
  // The model finds MCP tools through a search, and calls them through one tool.
  listsTools: false,
  patterns: true,
  hidesKeys: true,
  refused: { arg: [], env: [], header: ["LATIN", "MUSTACHE"] },
  trust({ folder, home, project }) {
    trustIn(folder, project);
    trustIn(join(home, ".grok"), project);
  },
  searchTools: {
    calls: [
      {
        name: "search_tool",
        args: {
          query: "echo read_file revoked never_answers hidden Delete_All",
          limit: 50,
        },
      },
    ],
  },
  untrusted: { starts: false, calls: false },
  unknownTool: ["Tool not found"],
  requiresServers: false,
  ownServer({ home, url }) {
    mkdirSync(join(home, ".grok"), { recursive: true });
    appendFileSync(
      join(home, ".grok", "config.toml"),
      `[mcp_servers.mine]\nurl = ${JSON.stringify(url)}\n`,
    );
  },
  loads: ["mine", "other"],
  keepsUnderOnly: [],
  bare({ home, model: url, prompt }) {
    appendFileSync(
      join(home, ".grok", "config.toml"),
      `[models]\ndefault = "scripted"\n[model.scripted]\n${Object.entries(
        model(url),
      )
        .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
        .join("")}`,
    );
    return { args: ["-p", prompt], env: { [KEY]: "model-key" } };
  },
};
