// One server as it is now: what it offers, beside the rules and the pins, and what is to be said of that.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { pinsOf } from "../enforce/pins.ts";
import { policyOf } from "../enforce/road.ts";
import type { Host } from "../host/host.ts";
import type { Model, Server } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { sha256 } from "../sha256.ts";
import { readPins } from "../state/pins.ts";
import { askOffer, type AskedOffer } from "./ask-offer.ts";
import { compareOffer, type ComparedOffer } from "./compare-offer.ts";

export interface Seen {
  readonly server: Server;
  readonly compared: ComparedOffer;
  readonly clean: (json: string) => string;
}

/** Asks the server and compares. Warnings are part of it. */
export async function lookAt(
  host: Host,
  model: Model,
  server: Server,
): Promise<{
  readonly seen: Seen | null;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const asked: AskedOffer = await askOffer(host, model, server);
  if ("problems" in asked) return { seen: null, diagnostics: asked.problems };
  const own = readPins(host, stateFolder(host), [server]);
  const compared = compareOffer(asked.offer, policyOf(server, model), {
    sha256,
    pins: pinsOf(model, own.pins, server.name),
  });
  return {
    seen: { server, compared, clean: asked.clean },
    diagnostics: [...own.diagnostics, ...warnings(server, compared)],
  };
}

function warnings(
  { name, origin }: Server,
  { tools: found, instructions }: ComparedOffer,
): readonly Diagnostic[] {
  const allowed = found.filter(({ ruled }) => ruled.effect !== "deny");
  const changed = allowed.filter(({ pinned }) => pinned === "changed");
  const what = [
    ...changed.map(({ shown }) => `\`${shown}\``),
    ...(instructions.state === "changed" ? ["its instructions"] : []),
  ];
  return [
    ...(what.length === 0
      ? []
      : [
          report(
            "pin/changed",
            { name, count: what.length, what: listed(what) },
            { at: origin.at, help: `read it, then \`fenzi mcp pin ${name}\`` },
          ),
        ]),
    ...allowed.flatMap(({ shown, problem }) =>
      problem === null
        ? []
        : [
            report(
              "pin/withheld",
              { name, tool: shown, reason: problem },
              { at: origin.at },
            ),
          ],
    ),
  ];
}

/** The first few. */
const listed = (words: readonly string[]): string =>
  words.length <= 4
    ? words.join(", ")
    : `${words.slice(0, 3).join(", ")} and ${words.length - 3} more`;
