// The revisions of the protocol: which there are, which era each belongs to, and the names the protocol reserves.

/** "legacy" opens with `initialize`; in "modern" each request says its version in `_meta`. */
export type Era = "legacy" | "modern";

export const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];
export const LEGACY_VERSIONS: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
];

const PREFIX = "io.modelcontextprotocol/";

/** Keys of `_meta` that the protocol itself reads. */
export const META = {
  version: `${PREFIX}protocolVersion`,
  clientInfo: `${PREFIX}clientInfo`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  logLevel: `${PREFIX}logLevel`,
  subscription: `${PREFIX}subscriptionId`,
  serverInfo: `${PREFIX}serverInfo`,
} as const;

/** JSON-RPC error codes. Those of our own lie outside the range that JSON-RPC and MCP reserve. */
export const CODE = {
  parse: -32700,
  invalid: -32600,
  methodNotFound: -32601,
  params: -32602,
  internal: -32603,
  headerMismatch: -32020,
  version: -32022,
  urlElicitation: -32042,
  denied: 4030,
} as const;
