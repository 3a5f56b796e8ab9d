// The decisions of another proxy's MCP rules, replayed on the same rules as a fenzi policy: the same decision or a
// stricter one, never a laxer one. What is stricter is listed with its reason in `openshell-stricter.ts`; an entry that
// is no longer needed fails. The vectors are shared beside the repository; without them nothing is replayed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enforceRequest } from "../../src/enforce/enforce-request.ts";
import {
  headerValues,
  requestHeadProblem,
} from "../../src/enforce/http-head.ts";
import { readMessage } from "../../src/enforce/message.ts";
import { OPEN_METHODS } from "../../src/policy/method-table.ts";
import { roadOf, type Rules } from "../support/enforce-case.ts";
import { STRICTER } from "./openshell-stricter.ts";

type ToolMatch = string | { readonly any?: readonly string[] };
interface Rule {
  readonly method?: string;
  readonly tool?: ToolMatch;
}
interface Vector {
  readonly id: string;
  readonly binaries?: unknown;
  readonly policy: {
    readonly host: string;
    readonly port?: number;
    readonly ports?: unknown;
    readonly path?: string;
    readonly protocol: string;
    readonly enforcement?: string;
    readonly mcp?: {
      readonly max_body_bytes?: number;
      readonly strict_tool_names?: boolean;
      readonly allow_all_known_mcp_methods?: boolean;
    };
    readonly rules?: readonly { readonly allow: Rule }[];
    readonly deny_rules?: readonly Rule[];
  };
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly host?: string;
    readonly port?: number;
    readonly exec?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly expect: { readonly forwarded: boolean };
}

const file = join(
  import.meta.dirname,
  "../../../shared/cases/openshell-vectors.json",
);
const vectors = existsSync(file)
  ? (JSON.parse(readFileSync(file, "utf8")) as readonly Vector[]).filter(
      (vector) => vector.policy.protocol === "mcp",
    )
  : [];

const namesOf = (tool: ToolMatch | undefined): readonly string[] | "all" =>
  tool === undefined
    ? "all"
    : typeof tool === "string"
      ? [tool]
      : (tool.any ?? []);

/** The same rules as a fenzi policy, or why there is no such policy or it is not the road's to decide. */
function rulesOf(vector: Vector): Rules | string {
  const { policy, request } = vector;
  if (policy.enforcement !== "enforce") return "it only watches";
  if (vector.binaries !== undefined || request.exec !== undefined)
    return "it depends on which program asks";
  if (
    policy.host.includes("*") ||
    policy.ports !== undefined ||
    request.host !== undefined
  )
    return "a server has one exact address";
  if (policy.path === undefined || policy.path.includes("*"))
    return "a server has one exact path";
  if (request.method !== "POST" || request.path !== policy.path)
    return "the door decides it before the road is asked";
  const allow: string[] = [];
  let all = policy.mcp?.allow_all_known_mcp_methods === true;
  for (const rule of policy.rules ?? []) {
    // Under the profile of all methods a rule without a method is one for calls, and closes all others.
    if ((rule.allow.method ?? "tools/call") !== "tools/call") continue;
    const names = namesOf(rule.allow.tool);
    if (names !== "all") allow.push(...names);
    all = names === "all" || (all && rule.allow.method !== undefined);
  }
  const deny: string[] = [];
  for (const rule of policy.deny_rules ?? []) {
    if (rule.method !== "tools/call") return "a fenzi policy denies only tools";
    const names = namesOf(rule.tool);
    if (names === "all") return "a fenzi policy denies tools by name";
    deny.push(...names);
  }
  if (
    [...allow, ...deny].some(
      (name) => /[?[\]{}!\\]/.test(name) || name.includes("**"),
    )
  )
    return "its patterns are richer";
  if (
    allow.some((name) => name.includes("*")) &&
    /"name":"[^"]*\./.test(request.body ?? "")
  )
    return "its star stops at a dot, and that of fenzi does not";
  if (!all && allow.includes("*")) all = true;
  const listed = new Set((policy.rules ?? []).map((rule) => rule.allow.method));
  if (
    policy.mcp?.allow_all_known_mcp_methods !== true &&
    asksFor(request.body, listed)
  )
    return "what is needed to connect is always open in fenzi";
  return { allow: all ? "all" : allow, deny };
}

/** Whether the request is one of those that fenzi opens for every server and the policy does not list. */
function asksFor(
  body: string | null,
  listed: ReadonlySet<string | undefined>,
): boolean {
  try {
    const { method } = JSON.parse(body ?? "") as { readonly method?: unknown };
    return (
      typeof method === "string" &&
      method !== "tools/call" &&
      OPEN_METHODS.includes(method) &&
      !listed.has(method)
    );
  } catch {
    return false;
  }
}

function isForwarded({ policy, request }: Vector, rules: Rules): boolean {
  const headers = headerValues(Object.entries(request.headers ?? {}).flat());
  if (requestHeadProblem(headers) !== null) return false;
  const read = readMessage(new TextEncoder().encode(request.body ?? ""), {
    bytes: policy.mcp?.max_body_bytes || 65_536,
  });
  return (
    enforceRequest(roadOf(rules), read, {
      http: null,
      headers,
      outstanding: new Map(),
    }).kind === "forward"
  );
}

const compared = vectors.flatMap((vector) => {
  const rules = rulesOf(vector);
  return typeof rules === "string" ? [] : [{ vector, rules }];
});

test.runIf(vectors.length > 0)("enough of the vectors can be compared", () => {
  expect(compared.length).toBeGreaterThan(vectors.length / 2);
});

test.runIf(vectors.length > 0)("no decision is laxer", () => {
  expect(
    compared
      .filter(
        ({ vector, rules }) =>
          !vector.expect.forwarded && isForwarded(vector, rules),
      )
      .map(({ vector }) => vector.id),
  ).toEqual([]);
});

test.runIf(vectors.length > 0)(
  "what is stricter is listed, and nothing else",
  () => {
    expect(
      compared
        .filter(
          ({ vector, rules }) =>
            vector.expect.forwarded && !isForwarded(vector, rules),
        )
        .map(({ vector }) => vector.id)
        .sort(),
    ).toEqual(Object.keys(STRICTER).sort());
  },
);
