// Codes for starting a gateway.
import { define, quote } from "./define.ts";

export const gatewayCodes = {
  "gateway/unset": define<{ name: string; variable: string }>(
    "error",
    (p) =>
      `the variable ${quote(p.variable)}, which a header of ${quote(p.name)} refers to, is not set`,
    "The gateway puts configured headers on requests itself, so their references are replaced when it starts. A missing variable would send an empty header.",
  ),
  "gateway/header-value": define<{ name: string; header: string }>(
    "error",
    (p) =>
      `the header ${quote(p.header)} of ${quote(p.name)} cannot be sent with its value`,
    "A header's value has no line break and no control character. The value comes from the environment or is the stored token; look there.",
  ),
  "gateway/no-token": define<{ name: string }>(
    "warning",
    (p) => `no token is stored for ${quote(p.name)}; its calls will be refused`,
    "The file says that a token is stored for this server, and there is none. The gateway sends it nothing, rather than a request without a token.",
  ),
  "gateway/cannot-listen": define<{ address: string; reason: string }>(
    "error",
    (p) => `cannot listen on ${p.address}: ${p.reason}`,
    "Another program may use the port. Port 0 takes a free one.",
  ),
} as const;
