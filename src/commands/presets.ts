// `fenzi mcp presets`: the servers that `mcp add --preset` knows, and what a first policy allows them.
import type { Host } from "../host/host.ts";
import { longest, wrap } from "../diagnostics/wrap.ts";
import { terminal } from "../views/terminal.ts";
import type { Exit } from "./outcome.ts";
import { PRESETS } from "./preset-list.ts";

const WIDTH = 80;

export function presets(host: Host): Exit {
  const view = terminal(host);
  const name = longest(PRESETS.map((preset) => preset.name)) + 2;
  const indent = " ".repeat(name);
  for (const preset of PRESETS) {
    const rows = [
      preset.about + (preset.needsNetwork ? " (needs the network)" : ""),
      preset.command.join(" "),
      `allows ${preset.allow.join(", ")}`,
    ];
    rows
      .flatMap((row) => wrap(row, WIDTH - name))
      .forEach((line, i) =>
        view.painted(
          i === 0
            ? view.paint.bold(preset.name.padEnd(name)) + line
            : indent + view.paint.dim(line),
        ),
      );
  }
  view.note("add one: fenzi mcp add --preset NAME");
  return 0;
}
