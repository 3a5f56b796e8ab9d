// A server's road made by hand, and messages through it, for tests of `src/enforce`.
import { sha256 } from "../../src/sha256.ts";
import { DEFAULT_LIMITS, NO_ARGUMENT_RULES } from "./default-limits.ts";
import type { Origin, Pins, Server } from "../../src/model/model.ts";
import { NO_COMMON_RULES, preparePolicy } from "../../src/policy/decide.ts";
import { enforceRequest } from "../../src/enforce/enforce-request.ts";
import {
  enforceResponse,
  type ResponseContext,
} from "../../src/enforce/enforce-response.ts";
import type { Facts } from "../../src/enforce/facts.ts";
import type { Exchange, Outstanding } from "../../src/enforce/exchange.ts";
import { headerValues } from "../../src/enforce/http-head.ts";
import { readMessage } from "../../src/enforce/message.ts";
import { createRoad, type Road } from "../../src/enforce/road.ts";
import type { BackVerdict, Verdict } from "../../src/enforce/verdict.ts";

const place = { line: 3, column: 5, offset: 20 };
export const origin: Origin = {
  layer: "project",
  at: { file: "/repo/fenzi.yaml", start: place, end: place },
};

export interface Rules {
  readonly allow?: readonly string[] | "all";
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

const rules = (texts: readonly string[]) =>
  texts.map((text) => ({ text, origin }));

export const serverOf = (name: string, tools: Rules): Server => ({
  name,
  origin,
  transport: {
    kind: "http",
    url: "https://demo.example/mcp",
    scheme: "https",
    host: "demo.example",
    port: 443,
    path: "/mcp",
    loopback: false,
    socket: null,
    systemSocket: false,
    headers: [],
    token: { kind: "none" },
    origin,
  },
  enabled: { value: true, origin },
  tools: [
    {
      layer: "project",
      allow:
        tools.allow === "all"
          ? { kind: "all", origin }
          : { kind: "only", rules: rules(tools.allow ?? []), origin },
      ask: rules(tools.ask ?? []),
      deny: rules(tools.deny ?? []),
    },
  ],
  limits: DEFAULT_LIMITS,
  ...NO_ARGUMENT_RULES,
  narrowedBy: [],
});

/** The rules that the shared cases have unless they say otherwise. */
export const USUAL: Rules = {
  allow: ["read_file", "search_*"],
  deny: ["search_admin"],
};

export const roadOf = (
  tools: Rules = USUAL,
  secrets: readonly string[] = [],
  pins: readonly Pins[] = [],
): Road =>
  createRoad({
    pins: { pins, sha256 },
    policy: preparePolicy(serverOf("demo", tools), NO_COMMON_RULES),
    secrets,
    facts: NO_FACTS,
  });

/** Nothing is anywhere, and no time passes. */
export const NO_FACTS: Facts = {
  look: () => "nothing",
  realpath: () => null,
  list: () => [],
  now: () => 0,
  windows: false,
};

const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array
    ? body
    : new TextEncoder().encode(
        typeof body === "string" ? body : JSON.stringify(body),
      );

/** A message of a client: an object, JSON text, or bytes. `headers` are name, value, name, value. */
export const send = (
  road: Road,
  body: unknown,
  options: {
    readonly headers?: readonly string[];
    readonly outstanding?: Outstanding;
  } = {},
): Verdict =>
  enforceRequest(road, readMessage(bytesOf(body), { bytes: 4_194_304 }), {
    http: "POST demo.example/mcp",
    headers: headerValues(options.headers ?? []),
    outstanding: options.outstanding ?? new Map(),
  });

export const call = (
  name: unknown,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: {}, ...more },
});

export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const modernHeaders = (
  method: string,
  name: string | null = null,
): readonly string[] => [
  "MCP-Protocol-Version",
  "2026-07-28",
  "Mcp-Method",
  method,
  ...(name === null ? [] : ["Mcp-Name", name]),
];

/** What a verdict comes to in short: the kind, and for an answer its status, code and rule. */
export function brief(verdict: Verdict): string {
  if (verdict.kind !== "answer") return verdict.kind;
  const { error } = JSON.parse(verdict.answer.body) as {
    readonly error: {
      readonly code: number;
      readonly data?: { readonly rule?: string };
    };
  };
  const rule = error.data?.rule;
  return `${verdict.answer.status} ${error.code}${rule === undefined ? "" : ` ${rule}`}`;
}

export const forwarded = (verdict: Verdict): string | null =>
  verdict.kind === "forward" ? new TextDecoder().decode(verdict.bytes) : null;

export const exchange = (
  method: string,
  more: Partial<Exchange> = {},
): Exchange => ({
  id: "1",
  method,
  tool: method === "tools/call" ? "read_file" : null,
  era: "legacy",
  progressToken: null,
  cursor: null,
  ...more,
});

/** A message of the server, in answer to the request given. */
export const receive = (
  road: Road,
  body: unknown,
  open: Exchange | null,
  more: Partial<ResponseContext> = {},
): BackVerdict =>
  enforceResponse(
    road,
    typeof body === "string" ? body : JSON.stringify(body),
    {
      outstanding: new Map(open === null ? [] : [[open.id, open]]),
      place: "body",
      era: open?.era ?? "legacy",
      ...more,
    },
  );

/** What the client gets, or null. */
export const passed = (verdict: BackVerdict): unknown =>
  verdict.kind === "pass" ? (JSON.parse(verdict.text) as unknown) : null;

export const result = (value: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  result: value,
});

export const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
