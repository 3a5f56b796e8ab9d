// Cases about what a server answers that do not hold at a guard, each with the reason, by what stands behind it. One that
// holds after all makes the test fail.
import type { Side } from "./guard-side.ts";

export const EXCEPTIONS: Readonly<
  Record<Side, Readonly<Record<string, string>>>
> = {
  remote: {},
  local: {
    "http-secret-11":
      "a server on standard input and output has no status line and no headers",
  },
};
