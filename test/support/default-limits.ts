// What holds for a server whose file says nothing about limits.
import { LIMITS } from "../../src/match/quantity.ts";
import type { Server, ServerLimits } from "../../src/model/model.ts";

export const DEFAULT_LIMITS: ServerLimits = {
  call: { value: LIMITS.call.fallback, origin: "default" },
  request: { value: LIMITS.request.fallback, origin: "default" },
  response: { value: LIMITS.response.fallback, origin: "default" },
};

/** A remote server whose file says nothing about arguments. */
export const NO_ARGUMENT_RULES: Pick<
  Server,
  "rates" | "folder" | "paths" | "hosts" | "reads"
> = { rates: [], folder: "/repo", paths: [], hosts: [], reads: [] };
