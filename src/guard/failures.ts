// What an agent is told when a server gave nothing that may be passed on: words that it can act on, as the result of a
// call that failed, which the model reads, or as an error.
import type { Exchange } from "../enforce/exchange.ts";
import { CODE } from "../enforce/protocol.ts";
import { errorText, toolError } from "../enforce/refuse.ts";

/** `words` continue the server's name: "ended with exit code 1". */
export function failureLine(
  server: string,
  exchange: Pick<Exchange, "id" | "method" | "era">,
  words: string,
): string {
  const message = `upstream_error: \`${server}\` ${words}`;
  return exchange.method === "tools/call"
    ? toolError(exchange.id, exchange.era, message)
    : errorText(exchange.id, CODE.internal, message, {
        error: "upstream_error",
        server,
      });
}

export const timeoutWords = (milliseconds: number): string =>
  `gave no answer within ${milliseconds / 1_000} s (\`limits.call\`)`;
