// What `fenzi mcp import` did, for people: what is new, what was there, what was left out, and what is to be done now.
import { blankSecrets } from "../match/blank-secrets.ts";
import { visibleWhole } from "../diagnostics/visible.ts";
import type { ImportDocument } from "../../schemas/import-document.ts";
import { SEEN_AFTER } from "./edited.ts";
import { shellLine } from "./shell-words.ts";
import type { Terminal } from "./terminal.ts";
import { longest, wrap } from "../diagnostics/wrap.ts";

type ShownImport = Pick<ImportDocument, "add" | "keep" | "dropped" | "tokens">;

export function printImported(
  view: Terminal,
  { add, keep, dropped, tokens }: ShownImport,
  place: {
    readonly file: string;
    readonly isNew: boolean;
    /** A file of an agent that they came from and that `fenzi apply` writes too, or null. */
    readonly emptyFirst: string | null;
    readonly untrusted: boolean;
    /** Added servers that are sent a stored token. */
    readonly withToken: readonly string[];
  },
): void {
  const list = (head: string, items: readonly string[]) => {
    const text = `${head}: ${[...new Set(items)].join(", ")}`;
    wrap(visibleWhole(blankSecrets(text)), WIDTH).forEach((line, i) =>
      view.out(i === 0 ? line : `  ${line}`),
    );
  };
  const made = place.isNew ? " (a new file)" : "";
  view.out(
    add.length === 0
      ? "nothing to add"
      : `added ${count(add.length, "server")} to ${view.show(place.file)}${made}`,
  );
  const width = longest(add.map((s) => s.name)) + 4;
  for (const server of add)
    wrap(
      visibleWhole(
        server.transport === "http"
          ? server.url
          : shellLine([server.command, ...server.args]),
      ),
      WIDTH - width,
    ).forEach((line, i) =>
      view.out(`${(i === 0 ? `  ${server.name}` : "").padEnd(width)}${line}`),
    );
  const servers = dropped.filter((d) => !("key" in d));
  if (keep.length > 0)
    list(
      "already there",
      keep.map((k) => k.name),
    );
  if (servers.length > 0)
    list(
      "not imported",
      servers.map((d) => `${d.name} (${d.reason})`),
    );
  for (const name of place.withToken)
    view.note(`store its token: fenzi mcp token ${name}`);
  const variables = tokens.flatMap((t) =>
    place.withToken.includes(t.name) ? [] : (t.variable ?? []),
  );
  if (variables.length > 0)
    view.note(
      `set where agents are started: ${[...new Set(variables)].join(", ")}`,
    );
  if (add.length > 0) {
    view.note(SEEN_AFTER);
    if (place.emptyFirst !== null)
      view.note(
        `before \`fenzi apply\`, take them out of ${view.show(place.emptyFirst)}`,
      );
  }
  if (place.untrusted)
    view.note("the servers are not trusted yet: `fenzi trust` shows them");
}

const WIDTH = 80;

const count = (n: number, noun: string): string =>
  `${n} ${noun}${n === 1 ? "" : "s"}`;
