// The model as one agent is told it. `direct`: URL or command as written, a placeholder for the token. `gateway`: remote
// servers by the address of a running gateway, which holds the rules and the token; local ones as in `direct`. `guard`: every
// server by `fenzi guard NAME`, which holds the rules, the token and all that the entry says.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { guardWords } from "../match/guard-entry.ts";
import { tokenVariable, vaultVariable } from "../match/server-name.ts";
import { referencesOf } from "../match/template.ts";
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
  FilterReach,
  NamedValue,
} from "../model/delivered.ts";
import type {
  HttpTransport,
  Model,
  NamedTemplate,
  Pins,
  Server,
  StdioTransport,
  ToolLayer,
} from "../model/model.ts";
import { flattenRules } from "./flatten-rules.ts";
import { unheldRules } from "./unheld.ts";

/** Where things will be seen by the agent. All absolute. */
export interface Places {
  /** The project's folder. */
  readonly project: string;
  /** The folder of a file inside the repository. */
  readonly home: (file: string) => string;
  /** The empty folder of a machine's server. */
  readonly own: (server: string) => string;
}

/** How agents reach remote servers. */
export type Way =
  | { readonly kind: "direct" }
  | {
      readonly kind: "gateway";
      /** The address under which the gateway serves one of them to this agent. */
      readonly url: (server: string) => string;
    }
  | { readonly kind: "guard" };

/** Beyond the longest call: for what the guard does before and after it, a question to a person included. */
const GUARD_MARGIN = 60_000;

/** The servers an agent gets, and what was left out for all agents (`airGap`). Switched-off servers are not delivered. */
export function deliver(
  model: Model,
  reach: FilterReach,
  places: Places,
  way: Way = { kind: "direct" },
): readonly Delivered[] {
  return told(model, way).map((server) => {
    const { name, origin, transport } = server;
    const { filter, leftOut } = flattenRules(
      withLocked(server, model.locked.get(server.name) ?? []),
      reach,
    );
    // Behind a gateway or a guard the filter is a comfort: what it cannot say in full it leaves to them, who show an agent
    // no tool that it may not call.
    const comfort = {
      filter: leftOut.length === 0 ? filter : { ...filter, everything: true },
      leftOut: [],
      unheld: [],
    };
    if (way.kind === "guard")
      return {
        name,
        origin,
        transport: guarded(server, places.project),
        ...comfort,
        guard: {
          wait: server.limits.call.value + GUARD_MARGIN,
          needs: referencesIn(transport),
          token:
            transport.kind === "http" && transport.token.kind !== "none"
              ? [vaultVariable(name), `${vaultVariable(name)}_URL`]
              : [],
        },
      };
    if (transport.kind === "http" && way.kind === "gateway")
      return {
        name,
        origin,
        transport: {
          kind: "http",
          url: way.url(name),
          headers: [],
          token: null,
        },
        ...comfort,
        guard: null,
      };
    return {
      name,
      origin,
      transport:
        transport.kind === "http"
          ? http(server, transport)
          : stdio(server, transport, places),
      filter,
      leftOut,
      unheld: unheldRules(server, model),
      guard: null,
    };
  });
}

/** Only pinned tools may be called: for a filter, a `fenzi.lock` is one more list of names. */
const withLocked = (server: Server, locked: readonly Pins[]): Server => ({
  ...server,
  tools: [
    ...server.tools,
    ...locked.map(({ origin, tools }): ToolLayer => {
      const from = origin ?? server.origin;
      return {
        layer: from.layer,
        allow: {
          kind: "only",
          rules: [...tools.keys()].map((text) => ({ text, origin: from })),
          origin: from,
        },
        ask: [],
        deny: [],
      };
    }),
  ],
});

/** No agent can connect to a socket or a pipe itself. */
const told = (model: Model, way: Way): readonly Server[] =>
  given(model).filter((s) => way.kind !== "direct" || !behindSocket(s));

const behindSocket = ({ transport }: Server): boolean =>
  transport.kind === "http" && transport.socket !== null;

/** One warning for each server that no agent can reach without the gateway. */
export const socketWarnings = (model: Model): readonly Diagnostic[] =>
  given(model)
    .filter(behindSocket)
    .map((s) =>
      report(
        "deliver/socket",
        { name: s.name },
        {
          at: s.transport.origin.at,
          help: "start `fenzi gateway` for it, or give the agent `fenzi guard`",
        },
      ),
    );

/** One warning for each remote server that `airGap` leaves out. */
export function airGapWarnings(model: Model): readonly Diagnostic[] {
  const { airGap } = model;
  if (airGap === "off") return [];
  return model.servers
    .filter((s) => s.enabled.value && outside(s))
    .map((s) =>
      report(
        "deliver/air-gap",
        { name: s.name },
        {
          at: s.origin.at,
          notes: [{ message: "`airGap` is here", at: airGap.origin.at }],
        },
      ),
    );
}

/** The servers that an agent is given at all. */
export const given = (model: Model): readonly Server[] =>
  model.servers.filter(
    (s) => s.enabled.value && (model.airGap === "off" || !outside(s)),
  );

const outside = (server: Server): boolean =>
  server.transport.kind === "http" && !server.transport.loopback;

const values = (named: readonly NamedTemplate[]): readonly NamedValue[] =>
  named.map(({ name, value, origin }) => ({ name, value, at: origin.at }));

function guarded({ name, origin }: Server, project: string): DeliveredStdio {
  return {
    kind: "stdio",
    command: guardWords(name).map((literal) => ({
      value: [{ literal }],
      at: origin.at,
    })),
    env: [],
    cwd: { path: project, why: "home", at: origin.at },
  };
}

/** The variables that an entry names, sorted, each once. */
function referencesIn(
  transport: HttpTransport | StdioTransport,
): readonly string[] {
  const values =
    transport.kind === "http"
      ? transport.headers
      : [...transport.command, ...transport.env];
  return [
    ...new Set(values.flatMap(({ value }) => referencesOf(value))),
  ].sort();
}

function http(server: Server, transport: HttpTransport): DeliveredHttp {
  const { token } = transport;
  return {
    kind: "http",
    url: transport.url,
    headers: values(transport.headers),
    token:
      token.kind === "none"
        ? null
        : {
            scheme: token.kind,
            header: token.kind === "bearer" ? "Authorization" : token.header,
            variable: tokenVariable(server.name),
          },
  };
}

function stdio(
  server: Server,
  transport: StdioTransport,
  places: Places,
): DeliveredStdio {
  const { cwd } = transport;
  const { layer, at } = server.origin;
  const folder =
    cwd !== "default"
      ? ({
          path: "project" in cwd ? places.project : cwd.value,
          why: "given",
          at: cwd.origin.at,
        } as const)
      : layer === "root" || layer === "project"
        ? ({ path: places.home(at.file), why: "home", at } as const)
        : ({ path: places.own(server.name), why: "own", at } as const);
  return {
    kind: "stdio",
    command: transport.command.map(({ value, origin }) => ({
      value,
      at: origin.at,
    })),
    env: values(transport.env),
    cwd: folder,
  };
}
