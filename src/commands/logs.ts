// `fenzi logs`: what was decided, one line each; with `--follow` also what is decided from now on.
import { isWanted, logLine } from "../audit/log-line.ts";
import { printRow } from "../audit/log-row.ts";
import { openLog } from "../audit/read-log.ts";
import { report } from "../diagnostics/catalog.ts";
import { visibleJson } from "../diagnostics/visible.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { terminal } from "../views/terminal.ts";
import { logFolder } from "./log-folder.ts";
import type { Exit } from "./outcome.ts";

interface LogsOptions {
  readonly follow?: boolean;
  readonly denied?: boolean;
  readonly server?: string;
  readonly json?: boolean;
}

/** Milliseconds between two looks. */
const PAUSE = 200;

export async function logs(host: Host, options: LogsOptions): Promise<Exit> {
  const folder = logFolder(host);
  const log = openLog(host, folder);
  const view = terminal(host);
  const filter = {
    denied: options.denied === true,
    server: options.server ?? null,
  };
  let shown = false;
  try {
    for (;;) {
      for (const row of log.rows())
        if (isWanted(row, filter)) {
          shown = true;
          view.out(
            options.json === true
              ? visibleJson(printRow(row, row).trimEnd())
              : logLine(row),
          );
        }
      // Nobody reads on: there is no more to do here.
      if (options.follow !== true || host.stdout.isGone?.() === true) {
        if (!shown && options.json !== true)
          view.note(
            filter.denied || filter.server !== null
              ? "the log has no such call"
              : "the log is empty: `fenzi gateway` and `fenzi guard` write it",
          );
        return 0;
      }
      await host.sleep(PAUSE);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = systemReason(code);
    view.diagnostics(
      [report("read/not-readable", { file: view.show(folder), reason })],
      new Map(),
    );
    return 1;
  }
}
