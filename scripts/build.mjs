// Bundles the command line (split, so that a command loads only what it needs) and the library.
import { readFileSync, rmSync, chmodSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
if (!readFileSync("src/version.ts", "utf8").includes(`"${version}"`)) {
  console.error(`src/version.ts does not say ${version}`);
  process.exit(1);
}
rmSync("dist", { recursive: true, force: true });
const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  legalComments: "none",
  // Some packages' main files are UMD and cannot be bundled; their module files can.
  mainFields: ["module", "main"],
  external: ["@napi-rs/keyring"],
  logLevel: "warning",
  // Packages in CommonJS ask for Node's own modules through `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};
await build({
  ...shared,
  entryPoints: { cli: "src/cli.ts", "vault-read": "src/vault/vault-read.ts" },
  outdir: "dist",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  minify: true,
  keepNames: false,
});
chmodSync("dist/cli.js", 0o755);
