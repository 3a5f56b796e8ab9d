// Whether a person is there to be asked.
import type { Host } from "./host.ts";

/** Questions are read from standard input and stand on standard error. */
export const canAsk = ({ stdin, stderr }: Host): boolean =>
  stdin.isTTY && stderr.isTTY;
