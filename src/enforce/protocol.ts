// The revisions of the protocol: which there are, and which era each belongs to.

/** "legacy" opens with `initialize`; in "modern" each request says its version in `_meta`. */
export type Era = "legacy" | "modern";

export const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];
export const LEGACY_VERSIONS: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
];

/** Keys of `_meta` that the protocol itself reads. */
export const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;
