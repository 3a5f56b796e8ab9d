// Builds what is installed: the program, in pieces, so that a command loads only what it needs, and the library.
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { build, transform } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
if (!readFileSync("src/version.ts", "utf8").includes(`"${version}"`)) {
  console.error(`src/version.ts does not say ${version}`);
  process.exit(1);
}
rmSync("dist", { recursive: true, force: true });

// Node starts CommonJS about ten milliseconds faster than modules, but only modules can be split. So the pieces are made
// as modules, and each is then turned into CommonJS as it is.
const program = await build({
  ...bundleOptions,
  entryPoints: { cli: "src/cli.ts" },
  outdir: "dist",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  outExtension: { ".js": ".cjs" },
  banner: {},
  write: false,
  // The module form of `yaml` loads in half the time; under Node its package offers only the other.
  alias: { yaml: "./node_modules/yaml/browser/dist/index.js" },
});
const OWN_URL =
  'const __url = require("node:url").pathToFileURL(__filename).href;';
for (const { path, text } of program.outputFiles) {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: bundleOptions.target,
    minify: true,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__url" },
    banner: text.includes("import.meta.url") ? OWN_URL : "",
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}
chmodSync("dist/cli.cjs", 0o755);

await build({
  ...bundleOptions,
  entryPoints: { "vault-read": "src/vault/vault-read.ts" },
  outdir: "dist",
  banner: {},
});

// Whoever uses the library has its dependencies installed, perhaps for other packages too.
await build({
  ...bundleOptions,
  entryPoints: { index: "src/index.ts" },
  outdir: "dist",
  packages: "external",
  banner: {},
});
