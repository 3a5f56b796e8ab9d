#!/usr/bin/env node
// The program: a real host, the main function, the exit code.
import { nodeHost } from "./host/node-host.ts";
import { main } from "./main.ts";

// A stream may fail before `main` is done, or after.
const host = nodeHost(() => {
  process.exitCode = 3;
});

// Without `await`: the program is bundled as CommonJS (see scripts/build.mjs).
void main(process.argv.slice(2), host).then((exit) => {
  process.exitCode ??= exit;
});
