// What a client is told when a server gave nothing that may be passed on: words an agent can act on, without anything
// the server said.
import { CODE } from "../enforce/protocol.ts";
import { errorText } from "../enforce/refuse.ts";

export interface Failure {
  readonly status: number;
  readonly body: string;
}

const failure =
  (status: number, error: string) =>
  (server: string, id: string | null, words: string): Failure => ({
    status,
    body: errorText(id, CODE.internal, `${error}: \`${server}\`: ${words}`, {
      error,
      server,
    }),
  });

/** The server broke a rule, or could not be reached. */
export const badGateway = failure(502, "upstream_error");

/** The server did not answer in the time that `limits.call` gives. */
export const timedOut = (
  server: string,
  id: string | null,
  milliseconds: number,
): Failure =>
  failure(504, "upstream_timeout")(
    server,
    id,
    `it gave no answer within ${milliseconds / 1000} s (\`limits.call\`)`,
  );

/** An answer of the server that only its status says. */
export const refusedUpstream = (
  server: string,
  id: string | null,
  status: number,
): Failure => ({
  ...badGateway(server, id, `it answered with status ${status}`),
  status,
});

/**
 * The server wants a token, another one or more rights. Never 401 or 403: a client would start to sign in by itself,
 * past the policy.
 */
export const badToken = (server: string, id: string | null): Failure =>
  failure(502, "upstream_auth")(
    server,
    id,
    `it does not accept the request's credentials; the user has to look at the token (\`fenzi mcp token ${server}\`)`,
  );

/** No request is sent without the token that the file asks for. */
export const noToken = (server: string, id: string | null): Failure =>
  failure(502, "upstream_auth")(
    server,
    id,
    `no token is stored for it; the user has to store one (\`fenzi mcp token ${server}\`) and start the gateway again`,
  );

export const busy = (server: string, id: string | null): Failure =>
  failure(503, "busy")(server, id, "too much is under way at once; try later");

/** A session that is unknown here or has ended: the client opens a new one. */
export const noSession = (server: string, id: string | null): Failure => ({
  status: 404,
  body: errorText(id, CODE.invalid, "session_not_found: open a new session", {
    error: "session_not_found",
    server,
  }),
});
