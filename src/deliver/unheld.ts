// The rules of a server that no tool filter of an agent can say: limits, isolation, and all that is about arguments and results.
import { LIMIT_NAMES } from "../match/quantity.ts";
import type { Unheld } from "../model/delivered.ts";
import type { CommonRules, Origin, Server } from "../model/model.ts";

/** Each once, at the first place that says it. */
export function unheldRules(
  server: Server,
  rules: Pick<CommonRules, "private" | "secrets">,
): readonly Unheld[] {
  const limits = LIMIT_NAMES.map((name) => {
    const { origin } = server.limits[name];
    return said(`limits.${name}`, origin === "default" ? undefined : origin);
  });
  const paths = server.paths.filter((layer) => layer.written);
  const { secrets } = rules;
  const { transport } = server;
  return [
    ...limits,
    said("limits.rate", server.rates[0]?.origin),
    said("paths.read", paths.find((l) => l.read.length > 0)?.origin),
    // Without a list nothing may be written, which is a rule as well.
    said("paths.write", paths[0]?.write[0]?.origin ?? paths[0]?.origin),
    said(
      "isolation",
      transport.kind === "http" || transport.isolation.kind === "none"
        ? undefined
        : transport.isolation.origin,
    ),
    said("hosts.allow", server.hosts.find((l) => l.allow !== null)?.origin),
    said("hosts.ports", server.hosts.find((l) => l.ports !== null)?.origin),
    said("private", rules.private[0]?.lines[0]?.origin),
    said("secrets.refuse", secrets.refuse[0]?.origin),
    said("secrets.redact", secrets.redact[0]?.origin),
  ].flat();
}

const said = (
  key: Unheld["key"],
  origin: Origin | undefined,
): readonly Unheld[] => (origin === undefined ? [] : [{ key, at: origin.at }]);
