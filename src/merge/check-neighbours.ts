// Servers beside each other, over all layers: names that agents would mix up, and addresses that belong to another.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import { beginnings, foldServerName } from "../match/server-name.ts";
import { hostKey } from "../match/url.ts";
import type {
  HttpTransport,
  LayerName,
  Origin,
  Server,
} from "../model/model.ts";
import type { LayerEntry } from "./layer.ts";

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

/** The inner one, or the later one of the same file, is the one to complain about, once for each kind. */
function checkNames(entries: readonly Named[]): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  const about = (inner: Named, outer: Named) => ({
    at: inner.layers[0]?.origin.at ?? null,
    notes: [
      {
        message: `\`${outer.name}\` is here`,
        at: outer.layers[0]?.origin.at ?? null,
      },
    ],
  });
  const ordered = inOrder(entries, (n) => n.layers[0]?.origin);
  const byFold = new Map<string, Named>();
  const byName = new Map<string, Named>();
  for (const one of ordered) {
    const fold = foldServerName(one.name);
    const twin = byFold.get(fold);
    if (twin === undefined) byFold.set(fold, one);
    else
      out.push(
        report(
          "merge/name-taken",
          { name: one.name, other: twin.name },
          about(one, twin),
        ),
      );
    const name = one.name.toLowerCase();
    if (!byName.has(name)) byName.set(name, one);
  }
  const place = new Map(ordered.map((one, i) => [one, i]));
  for (const long of ordered)
    for (const beginning of beginnings(long.name)) {
      const short = byName.get(beginning);
      if (short === undefined) continue;
      const [outer, inner] =
        (place.get(short) ?? 0) < (place.get(long) ?? 0)
          ? [short, long]
          : [long, short];
      out.push(
        report(
          "merge/name-prefix",
          { name: long.name, other: short.name },
          {
            ...about(inner, outer),
            help: `call it \`${long.name.replaceAll("_", "-")}\``,
          },
        ),
      );
    }
  return out;
}

/** Outermost first; those of one layer as they stand in their file. */
const inOrder = <T>(
  list: readonly T[],
  originOf: (one: T) => Origin | undefined,
): readonly T[] => {
  const rank = (origin: Origin | undefined) =>
    origin === undefined
      ? 0
      : ORDER[origin.layer] * 1e9 + origin.at.start.offset;
  return [...list].sort((a, b) => rank(originOf(a)) - rank(originOf(b)));
};

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
  const owners = new Map<string, Remote>();
  const first = new Map<string, Remote>();
  for (const one of inOrder(remote, (r) => r.origin)) {
    const host = hostKey(one.transport);
    const extra = (other: Remote) => ({
      at: one.transport.origin.at,
      notes: [
        {
          message: `\`${other.name}\` is here`,
          at: other.transport.origin.at,
        },
      ],
    });
    const path = `${owns(one)} ${host}${one.transport.path}`;
    const owner =
      first.get(`true ${host}${one.transport.path}`) ?? owners.get(host);
    const same = first.get(path);
    if (owner !== undefined && !owns(one))
      out.push(
        report(
          "merge/host-taken",
          {
            name: one.name,
            other: owner.name,
            address: address(one.transport),
          },
          {
            ...extra(owner),
            help: `narrow \`${owner.name}\` by its own name`,
          },
        ),
      );
    if (same === undefined) first.set(path, one);
    else
      out.push(
        report(
          "merge/same-address",
          { name: one.name, other: same.name },
          extra(same),
        ),
      );
    if (owns(one) && !owners.has(host)) owners.set(host, one);
  }
  return out;
}

/** A server of the machine or the team owns its host and port against files of a repository. */
const owns = (r: Remote): boolean => isOuterLayer(r.origin.layer);

const address = (t: HttpTransport): string =>
  t.socket !== null
    ? `\`${t.socket.path}\``
    : `\`${t.host.includes(":") ? `[${t.host}]` : t.host}:${t.port}\``;
