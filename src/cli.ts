#!/usr/bin/env node
// The program: a real host, the main function, the exit code.
import { nodeHost } from "./host/node-host.ts";
import { main } from "./main.ts";

process.exitCode = await main(process.argv.slice(2), nodeHost());
