#!/usr/bin/env node
// What is started as `fenzi`. Beside each program lies what V8 compiled of it when it was built: with that it starts in
// little more than half the time. A Node with another V8 takes no notice of it. CommonJS, which loads faster than a module.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

const [, , command, name, ...more] = process.argv;
// Agents wait for this command at every start, so it is a program of its own; its options and mistakes are the other's.
const isGuard =
  command === "guard" &&
  name !== undefined &&
  !name.startsWith("-") &&
  more.length === 0;
const file = join(__dirname, isGuard ? "guard.cjs" : "program.cjs");

function compiled(): Buffer | undefined {
  try {
    return readFileSync(file.replace(/cjs$/, "v8"));
  } catch {
    return undefined;
  }
}

const cachedData = compiled();
const program = new Script(readFileSync(file, "latin1"), {
  filename: file,
  ...(cachedData === undefined ? {} : { cachedData }),
});
// The program's text is a function that takes what a module has of its own.
const run: (load: NodeJS.Require, url: string) => void =
  program.runInThisContext();
run(require, pathToFileURL(file).href);
