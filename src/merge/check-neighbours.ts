// Servers beside each other, over all layers: names that agents would mix up, and addresses that belong to another.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { foldServerName, isPrefixPair } from "../match/server-name.ts";
import { hostKey } from "../match/url.ts";
import type { HttpTransport, LayerName, Server } from "../model/model.ts";
import type { LayerEntry } from "./merge.ts";

interface Named {
  readonly name: string;
  readonly layers: readonly LayerEntry[];
}

export function checkNeighbours(
  entries: readonly Named[],
  servers: readonly Server[],
): readonly Diagnostic[] {
  return [...checkNames(entries), ...checkAddresses(servers)];
}

const ORDER: Readonly<Record<LayerName, number>> = {
  team: 0,
  machine: 1,
  root: 2,
  project: 3,
};

function checkNames(entries: readonly Named[]): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  for (const [i, a] of entries.entries())
    for (const b of entries.slice(i + 1)) {
      const [outer, inner] = inOrder(a, b);
      const at = inner.layers[0]?.origin.at ?? null;
      const notes = [
        {
          message: `\`${outer.name}\` is here`,
          at: outer.layers[0]?.origin.at ?? null,
        },
      ];
      if (foldServerName(a.name) === foldServerName(b.name))
        out.push(
          report(
            "merge/name-taken",
            { name: inner.name, other: outer.name },
            { at, notes },
          ),
        );
      else if (isPrefixPair(a.name, b.name) || isPrefixPair(b.name, a.name)) {
        const [short, long] = a.name.length < b.name.length ? [a, b] : [b, a];
        out.push(
          report(
            "merge/name-prefix",
            { name: long.name, other: short.name },
            {
              at,
              notes,
              help: `call it \`${long.name.replaceAll("_", "-")}\``,
            },
          ),
        );
      }
    }
  return out;
}

/** The inner one, or the later one of the same file, is the one to complain about. */
function inOrder(a: Named, b: Named): readonly [Named, Named] {
  const rank = (n: Named) => {
    const origin = n.layers[0]?.origin;
    return origin === undefined
      ? 0
      : ORDER[origin.layer] * 1e9 + origin.at.start.offset;
  };
  return rank(a) <= rank(b) ? [a, b] : [b, a];
}

interface Remote {
  readonly name: string;
  readonly origin: Server["origin"];
  readonly transport: HttpTransport;
}

function checkAddresses(servers: readonly Server[]): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  const remote: Remote[] = servers.flatMap(({ name, origin, transport }) =>
    transport.kind === "http" ? [{ name, origin, transport }] : [],
  );
  for (const [i, a] of remote.entries())
    for (const b of remote.slice(i + 1)) {
      if (hostKey(a.transport) !== hostKey(b.transport)) continue;
      const [outer, inner] = rank(a) <= rank(b) ? [a, b] : [b, a];
      const extra = {
        at: inner.transport.origin.at,
        notes: [
          {
            message: `\`${outer.name}\` is here`,
            at: outer.transport.origin.at,
          },
        ],
      };
      if (owns(outer) && !owns(inner))
        out.push(
          report(
            "merge/host-taken",
            {
              name: inner.name,
              other: outer.name,
              address: address(inner.transport),
            },
            {
              ...extra,
              help: `narrow \`${outer.name}\` by its own name`,
            },
          ),
        );
      else if (a.transport.path === b.transport.path)
        out.push(
          report(
            "merge/same-address",
            { name: inner.name, other: outer.name },
            extra,
          ),
        );
    }
  return out;
}

const rank = (r: Remote): number =>
  ORDER[r.origin.layer] * 1e9 + r.origin.at.start.offset;

/** A server of the machine or the team owns its host and port against files of a repository. */
const owns = (r: Remote): boolean =>
  r.origin.layer === "machine" || r.origin.layer === "team";

const address = (t: HttpTransport): string =>
  `\`${t.host.includes(":") ? `[${t.host}]` : t.host}:${t.port}\``;
