// The same server over standard input and output, for programs that put one behind HTTP.
import { createInterface } from "node:readline";
import { resultOf } from "./echo.mjs";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = { jsonrpc: "2.0", id, result: resultOf(method, params) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
