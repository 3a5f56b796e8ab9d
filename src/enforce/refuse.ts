// The words of a refusal, in the form of each kind of door. They name the tool and the rule, so that an agent can do
// something else; positions of rules go to the log only.
import { CODE, type Era } from "./protocol.ts";
import type { Answer } from "./verdict.ts";

export interface Refused {
  readonly server: string;
  readonly method: string;
  readonly tool: string | null;
  readonly rule: string;
  readonly message: string;
  /** JSON text, or null. */
  readonly id: string | null;
  readonly era: Era;
}

/** A call that the policy refuses. */
export function refusal(refused: Refused): Answer {
  const { server, tool, rule, id, era } = refused;
  const method = shown(refused.method);
  const what =
    tool === null
      ? `${method === "" ? "such a message" : `\`${method}\``} is not open on \`${server}\``
      : `the tool \`${shown(tool)}\` of \`${server}\` is not allowed here`;
  const next =
    rule === "pin"
      ? ""
      : rule === "limits.rate"
        ? " Wait, and try again later."
        : " Trying again gives the same answer; go on without it, or ask the user to change `fenzi.yaml`.";
  const message = `policy_denied: ${what}: ${refused.message} (${rule}).${next}`;
  const body = errorText(id, CODE.denied, message, {
    error: "policy_denied",
    server,
    method,
    tool: tool === null ? null : shown(tool),
    rule,
  });
  return {
    // A client that probes with `server/discover` takes 403 for the end, and 404 for an older server.
    status: refused.method === "server/discover" ? 404 : 403,
    body,
    line:
      id === null ? null : tool === null ? body : toolError(id, era, message),
  };
}

/** A message that is refused before any decision. */
export const malformed = (problem: {
  readonly id: string | null;
  readonly status: number;
  readonly code: number;
  readonly words: string;
  readonly data?: string | null;
}): Answer => {
  const body = errorText(
    problem.id,
    problem.code,
    problem.words,
    problem.data == null ? undefined : (JSON.parse(problem.data) as unknown),
  );
  return { status: problem.status, body, line: body };
};

/** A JSON-RPC error. `id` is left out when it is not known: `null` is no id of MCP. */
export const errorText = (
  id: string | null,
  code: number,
  message: string,
  data?: unknown,
): string =>
  `{"jsonrpc":"2.0",${id === null ? "" : `"id":${id},`}"error":${JSON.stringify({ code, message, data })}}`;

/** The result of a call that failed, which the model reads. */
export const toolError = (id: string, era: Era, message: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify({
    ...(era === "modern" ? { resultType: "complete" } : {}),
    content: [{ type: "text", text: message }],
    isError: true,
  })}}`;

/** A name of the client for people and logs: cut, and without characters that hide or move others. */
export const shown = (name: string): string =>
  /^[\w./-]{0,128}$/.test(name) ? name : visible(name);

const visible = (name: string): string =>
  [...name.toWellFormed()]
    .slice(0, 128)
    .join("")
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}`]/gu,
      (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
    );
