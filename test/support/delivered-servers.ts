// Servers as an emitter gets them, with as little said as a test needs.
import type { Span } from "../../src/diagnostics/diagnostic.ts";
import type { Context } from "../../src/emit/emitter.ts";
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
  Filter,
} from "../../src/model/delivered.ts";
import type { Template } from "../../src/model/model.ts";
import { parseTemplate } from "../../src/match/template.ts";

/** A different place for every line. */
export const spanAt = (line: number): Span => ({
  file: "/project/fenzi.yaml",
  start: { line, column: 1, offset: line * 100 },
  end: { line, column: 2, offset: line * 100 + 1 },
});

/** Text as `fenzi.yaml` says it, `${NAME}` and `$$` included. */
export function template(text: string): Template {
  const parsed = parseTemplate(text);
  if ("error" in parsed) throw new Error(`${text} ${parsed.error}`);
  return parsed.template;
}

const filter = (given: Partial<Filter>): Filter => ({
  everything: false,
  allow: [],
  ask: [],
  deny: [],
  ...given,
});

const named = (values: Readonly<Record<string, string>>, line: number) =>
  Object.entries(values).map(([name, text], i) => ({
    name,
    value: template(text),
    at: spanAt(line + i),
  }));

export const httpServer = (
  name: string,
  given: {
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly token?: DeliveredHttp["token"];
    readonly filter?: Partial<Filter>;
  } = {},
): Delivered => ({
  name,
  origin: { layer: "project", at: spanAt(1) },
  transport: {
    kind: "http",
    url: given.url ?? `https://${name}.example.com/mcp`,
    headers: named(given.headers ?? {}, 10),
    token: given.token ?? null,
  },
  filter: filter(given.filter ?? {}),
  leftOut: [],
  unheld: [],
  guard: null,
});

export const stdioServer = (
  name: string,
  given: {
    readonly command?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: Pick<DeliveredStdio["cwd"], "path" | "why">;
    readonly filter?: Partial<Filter>;
  } = {},
): Delivered => ({
  name,
  origin: { layer: "project", at: spanAt(1) },
  transport: {
    kind: "stdio",
    command: (given.command ?? ["program"]).map((text, i) => ({
      value: template(text),
      at: spanAt(20 + i),
    })),
    env: named(given.env ?? {}, 30),
    cwd: {
      ...(given.cwd ?? { path: "/project", why: "home" }),
      at: spanAt(40),
    },
  },
  filter: filter(given.filter ?? {}),
  leftOut: [],
  unheld: [],
  guard: null,
});

export const contextWith = (settings: Context["settings"] = {}): Context => ({
  folder: "/out/agent",
  project: "/project",
  repository: "/project",
  settings,
});
