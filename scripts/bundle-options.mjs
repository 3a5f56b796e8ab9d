// How everything of ours is bundled: the program, the library, and the floor that `npm run bench` compares with.

/** @type {import("esbuild").BuildOptions} */
export const bundleOptions = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  legalComments: "none",
  minify: true,
  // Some packages' main files are UMD and cannot be bundled; their module files can.
  mainFields: ["module", "main"],
  external: ["@napi-rs/keyring"],
  logLevel: "warning",
  // Packages in CommonJS ask for Node's own modules through `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};
