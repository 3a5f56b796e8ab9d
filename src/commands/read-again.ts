// What an open door does when a file was edited: the files are read again, and the stricter of both is put in force.
import type { Sink } from "../audit/sink.ts";
import { loadProject } from "../compile.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { bareRecord } from "../enforce/record.ts";
import type { Host } from "../host/host.ts";
import { stateFolder } from "../read/discover.ts";
import { readPins } from "../state/pins.ts";
import { tightenRules, type Edit, type Rules } from "./tighten-rules.ts";

/** A door as it was started. */
interface OpenDoor extends Pick<Edit, "start" | "startModel" | "serves"> {
  /** How the log names it: its server, or `*` for all. */
  readonly name: string;
  readonly sink: Sink;
  enforce(rules: ReadonlyMap<string, Rules>): void;
}

/** Returns one line for people, which stands in the log as well. */
export function readAgain(host: Host, door: OpenDoor): string {
  const { model, diagnostics } = loadProject(host);
  const edited = hasErrors(diagnostics) ? null : model;
  const result = tightenRules({
    start: door.start,
    startModel: door.startModel,
    serves: door.serves,
    edited,
    own:
      edited === null
        ? new Map()
        : readPins(host, stateFolder(host), edited.servers).pins,
  });
  if ("rules" in result) door.enforce(result.rules);
  door.sink.write(
    bareRecord({
      server: door.name,
      effect: "allow",
      reason: result.words,
      rule: "reload",
    }),
    { agent: null, milliseconds: 0 },
  );
  return result.words;
}
