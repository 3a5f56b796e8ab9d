// The program that `fenzi guard NAME` is, without what the other commands need: an agent waits for it at every start. See
// `start.ts`.
import { guard } from "./commands/guard.ts";
import { ending } from "./ending.ts";
import { nodeHost } from "./host/node-host.ts";

const host = nodeHost(() => {
  process.exitCode = 3;
});

const argv = process.argv.slice(2);
void ending(host, argv, () => guard(host, argv[1] ?? "")).then((exit) => {
  process.exitCode ??= exit;
});
