// Builds what is installed: the program and the library. `build.mjs [FOLDER]`, by default `dist`.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";

const outdir = process.argv[2] ?? "dist";
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
if (!readFileSync("src/version.ts", "utf8").includes(`"${version}"`)) {
  console.error(`src/version.ts does not say ${version}`);
  process.exit(1);
}
rmSync(outdir, { recursive: true, force: true });

// CommonJS, which Node starts about ten milliseconds faster than modules.
const program = {
  ...bundleOptions,
  format: "cjs",
  outdir,
  outExtension: { ".js": ".cjs" },
  banner: {},
};
const evaluated = {
  ...program,
  // `src/start.ts` evaluates it.
  banner: { js: "(function (require, __url) {" },
  footer: { js: "})" },
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "__url" },
  alias: {
    // Large, and rarely needed: files of their own, below.
    "@inquirer/prompts": "./prompts.cjs",
    "fast-glob": "./glob.cjs",
    "@modelcontextprotocol/client": "./mcp-client.cjs",
    undici: "./undici.cjs",
    // Wanted by few files, and at once: loaded with the first expression.
    re2js: "./scripts/re2-on-demand.mjs",
  },
  external: [
    "./re2.cjs",
    ...bundleOptions.external,
    "./glob.cjs",
    "./prompts.cjs",
    "./mcp-client.cjs",
    "./undici.cjs",
  ],
};
await build({ ...evaluated, entryPoints: { program: "src/cli.ts" } });
await build({
  ...evaluated,
  entryPoints: { guard: "src/guard-cli.ts" },
  alias: { ...evaluated.alias, zod: "./scripts/zod-small.mjs" },
});
await build({
  ...program,
  entryPoints: {
    cli: "src/start.ts",
    glob: "fast-glob",
    prompts: "@inquirer/prompts",
    "mcp-client": "@modelcontextprotocol/client",
    re2: "re2js",
  },
});
await build({
  ...program,
  entryPoints: { undici: "undici" },
  alias: { "node:assert": "./scripts/plain-assert.cjs" },
});
chmodSync(join(outdir, "cli.cjs"), 0o755);
/** What an agent says first, for the guard. */
const OPENING = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "build", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list", params: {} },
  {
    id: 3,
    method: "tools/call",
    params: { name: "read", arguments: { path: "src/a.ts" } },
  },
  { id: 4, method: "tools/call", params: { name: "drop", arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");
for (const name of ["program", "guard"]) {
  const kept = spawnSync(
    process.execPath,
    ["scripts/keep-compiled.mjs", outdir, name],
    { encoding: "utf8", input: OPENING },
  );
  if (kept.status !== 0)
    throw new Error(`the built ${name} does not run\n${kept.stderr}`);
}

await build({
  ...bundleOptions,
  entryPoints: { "vault-read": "src/vault/vault-read.ts" },
  outdir,
  banner: {},
});

// Whoever uses the library has its dependencies installed, perhaps for other packages too.
await build({
  ...bundleOptions,
  entryPoints: { index: "src/index.ts" },
  outdir,
  packages: "external",
  banner: {},
});
