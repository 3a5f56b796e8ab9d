#!/usr/bin/env node
// The program: a real host, the main function, the exit code.
import { nodeHost } from "./host/node-host.ts";
import { main } from "./main.ts";

// Without `await`: the program is bundled as CommonJS (see scripts/build.mjs).
void main(process.argv.slice(2), nodeHost()).then((exit) => {
  process.exitCode = exit;
});
