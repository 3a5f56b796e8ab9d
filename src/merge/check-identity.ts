// What a server is can be said again by an inner layer, but not changed.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { parseConfiguredUrl } from "../match/socket-url.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type { LayerEntry } from "./layer.ts";
import { IDENTITY } from "./narrow.ts";

/** One error for each key in which `inner` differs from the layer that defines the server. */
export function checkIdentity(
  name: string,
  defining: LayerEntry,
  inner: LayerEntry,
): readonly Diagnostic[] {
  return IDENTITY.filter((key) => inner.entry[key] !== undefined)
    .filter(
      (key) => canonical(inner.entry, key) !== canonical(defining.entry, key),
    )
    .map((key) =>
      report(
        "merge/identity",
        { name, key, layer: defining.layer },
        {
          at: inner.at("key", key).at,
          notes: [
            { message: `\`${name}\` is defined here`, at: defining.origin.at },
          ],
          help: `leave the key out to narrow that server; what it is, the ${defining.layer} file decides`,
        },
      ),
    );
}

/** Text that is equal exactly for values that mean the same. Absent and empty mappings are equal. */
function canonical(entry: ServerEntry, key: (typeof IDENTITY)[number]): string {
  if (key === "url" && entry.url !== undefined) {
    const parsed = parseConfiguredUrl(entry.url);
    return "value" in parsed ? parsed.value.url : entry.url;
  }
  if (key === "env" || key === "headers") {
    const fold =
      key === "headers" ? (n: string) => n.toLowerCase() : (n: string) => n;
    const pairs = Object.entries(entry[key] ?? {}).map(([n, v]) => [
      fold(n),
      v,
    ]);
    return JSON.stringify(
      pairs.sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1)),
    );
  }
  if (key === "token" && typeof entry.token === "object")
    return JSON.stringify(entry.token.header.toLowerCase());
  if (key === "isolation") {
    const { isolation } = entry;
    if (typeof isolation !== "object")
      return JSON.stringify(isolation === "none" ? null : (isolation ?? null));
    const { image, network = "none", readOnly = true } = isolation;
    return JSON.stringify([image, network, readOnly]);
  }
  if (key === "allowSystemSocket")
    return JSON.stringify(entry.allowSystemSocket === true);
  return JSON.stringify(entry[key] ?? null);
}
