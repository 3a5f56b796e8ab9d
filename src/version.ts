// The version of the package; `scripts/build.mjs` checks that it equals package.json's.

export const VERSION = "0.1.0";
