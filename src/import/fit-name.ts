// Names that other tools allow, made to fit ours.
import { SERVER_NAME_LENGTH } from "../match/server-name.ts";

/** The name under which a server is imported. A name of nothing but signs becomes `server`. */
export function fitName(name: string): string {
  const joined = name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/[-_]{2,}/g, (run) => (/^_+$/.test(run) ? "_" : "-"))
    .replace(/^[-_]+|[-_]+$/g, "");
  const started = /^\d/.test(joined) ? `s-${joined}` : joined;
  const cut = started.slice(0, SERVER_NAME_LENGTH).replace(/[-_]+$/, "");
  return cut === "" ? "server" : cut;
}
