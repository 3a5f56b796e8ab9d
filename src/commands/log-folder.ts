// Where the log of all gateways of a person lies, and what one of them is called in it.
import { join } from "node:path";
import type { Host } from "../host/host.ts";
import { stateFolder } from "../read/discover.ts";

export const logFolder = (host: Host): string =>
  join(stateFolder(host), "logs");

/** The start and the process: no two runs share both. */
export const runName = (host: Host): string =>
  `${new Date(host.now()).toISOString().replace(/[-:]|\.\d+/g, "")}-${host.pid}`;
