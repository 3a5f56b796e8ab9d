// Codes for starting a server that is kept from the rest of the machine.
import { visible } from "../visible.ts";
import { define, quote } from "./define.ts";

export const isolationCodes = {
  "isolation/no-program": define<{ name: string; program: string }>(
    "error",
    (p) =>
      `the isolation of ${quote(p.name)} needs ${p.program}, which is not here`,
    "`isolation: bubblewrap` is done by the program `bwrap`, and a container by `docker` or `podman`. Without it the server is not started: it would run without what its file asks for.",
  ),
  "isolation/system": define<{ name: string; what: string; needs: string }>(
    "error",
    (p) =>
      `the isolation of ${quote(p.name)} cannot be had here: ${p.what} needs ${p.needs}`,
    "Bubblewrap is for Linux. A container with `network: hosts` runs in a network of its own that only Podman on Linux can be given. The server is not started without what its file asks for.",
  ),
  "isolation/path": define<{ name: string; path: string; reason: string }>(
    "error",
    (p) =>
      `${quote(p.path)} cannot be given to ${quote(p.name)}: ${visible(p.reason)}`,
    "An isolated server gets the folders of its `paths`, or else the project's. A link in them could lead anywhere, also after the server has changed it.",
  ),
  "isolation/variable": define<{ name: string; variable: string }>(
    "error",
    (p) =>
      `the variable ${quote(p.variable)} of ${quote(p.name)} cannot be given to a container`,
    "Values of variables are not put on the engine's command line, where every program sees them, but into its environment. This one the engine or the system would take for its own.",
  ),
  "isolation/failed": define<{ name: string; what: string }>(
    "error",
    (p) => `the isolation of ${quote(p.name)} failed: ${p.what}`,
    "Something that the isolation needs could not be made. The server is not started without it.",
  ),
} as const;
