// Blocks of a page that are made, not written. A comment above a block says where it comes from:
//   <!-- file: PATH -->           the text of a file
//   <!-- run: FOLDER: ARGS -->    what `fenzi ARGS` prints in a copy of that folder
//   <!-- tree: FOLDER: ARGS -->   the files below `out/` after that
//   <!-- gateway: PART -->        the ready line, a refusal or the log of a gateway before examples/gateway
//   <!-- table: NAME -->          a table, up to the next empty line
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emitters } from "../../emitters/index.ts";
import type { Support, SupportTable } from "../../src/emit/emitter.ts";
import type { RuleReach } from "../../src/model/delivered.ts";
import {
  LIMIT_NAMES,
  LIMITS,
  printQuantity,
} from "../../src/match/quantity.ts";
import { runExample } from "./run-example.ts";
import { showGateway, type GatewayShown } from "./show-gateway.ts";
import { ROOT } from "./source-imports.ts";

const BLOCK =
  /(<!-- (file|run|tree|gateway): (.+?) -->\n\n```\w*\n)[^]*?(?=```\n)/g;
const TABLE = /(<!-- (table): (.+?) -->\n\n)(?:\|.*\n)+/g;

/** The page with every marked block as it must be. */
export async function refreshed(page: string): Promise<string> {
  let out = page;
  for (const pattern of [BLOCK, TABLE]) {
    const before = out;
    let reached = 0;
    out = "";
    for (const match of before.matchAll(pattern)) {
      const [, mark = "", kind = "", source = ""] = match;
      const text = await made(kind, source);
      out += `${before.slice(reached, match.index)}${mark}${text.trimEnd()}\n`;
      reached = match.index + match[0].length;
    }
    out += before.slice(reached);
  }
  return out;
}

/** Fenced blocks that show something and do not say where it comes from. Commands to type need no source. */
export const unmarked = (page: string): readonly string[] =>
  [...page.matchAll(/^(.*)\n\n?```(\w*)\n([^]*?)\n?```$/gm)]
    .filter(
      ([, before = "", language]) =>
        language !== "sh" && !/^<!-- (?:file|run|tree|gateway): /.test(before),
    )
    .map(([, , , text = ""]) => text);

async function made(kind: string, source: string): Promise<string> {
  if (kind === "table") return source === "limits" ? limits() : targets();
  if (kind === "gateway")
    return (await showGateway())[source as keyof GatewayShown];
  if (kind === "file") return readFileSync(join(ROOT, source), "utf8");
  const [folder = "", args = ""] = source.split(": ");
  const result = await runExample(join(ROOT, folder), [args.split(" ")]);
  return kind === "run" ? result.text : drawn(result.files);
}

/** Paths as a tree, two blanks a level. */
function drawn(paths: readonly string[]): string {
  const seen = new Set<string>();
  return paths
    .flatMap((path) => {
      const parts = path.split("/");
      return parts.flatMap((part, depth) => {
        const key = parts.slice(0, depth + 1).join("/");
        if (seen.has(key)) return [];
        seen.add(key);
        const folder = depth < parts.length - 1 ? "/" : "";
        return [`${"  ".repeat(depth)}${part}${folder}`];
      });
    })
    .join("\n");
}

const SHOWN: Readonly<Record<Support, string>> = {
  native: "yes",
  enforced: "outside",
  unsupported: "no",
};

/** What each target's own file holds, from the targets themselves. */
function targets(): string {
  const keys = Object.keys(
    emitters[0]?.support ?? {},
  ) as (keyof SupportTable)[];
  const held = (key: keyof SupportTable) =>
    emitters.some((e) => e.support[key] !== "enforced");
  const nowhere = keys
    .filter((key) => !held(key))
    .map((key) => `\`${key.split(".")[0] ?? ""}\``);
  const rows = [
    ["", ...emitters.map((e) => `\`${e.target}\``)],
    ["measured with", ...emitters.map((e) => e.version)],
    ...keys
      .filter(held)
      .map((key) => [
        `\`${key}\``,
        ...emitters.map((e) => SHOWN[e.support[key]]),
      ]),
    [[...new Set(nowhere)].join(" "), ...emitters.map(() => SHOWN["enforced"])],
    ["patterns in `allow`", ...emitters.map((e) => PATTERNS[e.filter.allow])],
    ["patterns in `deny`", ...emitters.map((e) => PATTERNS[e.filter.deny])],
  ];
  return drawTable(rows);
}

/** What the keys of `limits` may hold. */
function limits(): string {
  return drawTable([
    ["", "without a line", "smallest", "largest"],
    ...LIMIT_NAMES.map((name) => {
      const { kind, least, most, fallback } = LIMITS[name];
      return [
        `\`${name}\``,
        ...[fallback, least, most].map((n) => printQuantity(n, kind)),
      ];
    }),
  ]);
}

function drawTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [
    line(head),
    line(widths.map((width) => "-".repeat(width))),
    ...body.map(line),
  ].join("\n");
}

const PATTERNS: Readonly<Record<RuleReach, string>> = {
  exact: "no",
  prefix: "at the end",
  pattern: "yes",
};
