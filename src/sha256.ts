// The one hash: of files, definitions, tokens that are read back, and of places that name a file in the state folder.
import { createHash } from "node:crypto";

/** Lower-case hex SHA-256 of bytes, or of a text's UTF-8. */
export const sha256 = (what: string | Uint8Array): string =>
  createHash("sha256").update(what).digest("hex");
