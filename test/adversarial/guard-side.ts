// A guard before the recording server of the HTTP cases, and what it says in the terms of their verdicts. The server is
// behind it by its address, or through a program of its own that hands on line by line.
import type { FakeServer } from "../gateway/fake-server.ts";
import { pause, until } from "../gateway/until.ts";
import {
  openGuard,
  TOKEN,
  type Answer as Line,
  type OpenGuard,
  type OpenOptions,
} from "../guard/open-guard.ts";
import type { Answer } from "./http-exchange.ts";

export type Side = "remote" | "local";

/** Each line of the agent as a POST, and each message of the answer as a line. */
const HAND_ON = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", async (body) => {
    const got = await fetch(process.env.SERVER, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body,
    });
    const text = await got.text();
    const events = got.headers.get("content-type") === "text/event-stream";
    const messages = events ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : [text];
    for (const message of messages)
      if (message !== "") console.log(message.replaceAll("\\n", " "));
  });`;

export function guardBefore(
  side: Side,
  server: Pick<FakeServer, "url">,
  options: OpenOptions,
): Promise<OpenGuard> {
  return openGuard({
    ...options,
    ...(side === "remote"
      ? { url: server.url }
      : {
          script: HAND_ON,
          env: { SERVER: server.url },
          secrets: [TOKEN],
        }),
  });
}

/** Sends a request with the id 1 and gives all that came until shortly after its answer. */
export async function ask(
  { input, answers }: OpenGuard,
  body: string,
): Promise<Answer> {
  const before = answers.length;
  const came = () => answers.slice(before);
  input.write(`${body}\n`);
  await until(() => came().some(({ id }) => id === 1));
  // Nothing more is to come; if something does, it is on its way already.
  await pause(60);
  const events = came().map(asError);
  const json = events.find(({ id }) => id === 1) ?? null;
  return {
    status: statusOf(json),
    headers: new Map(),
    body: JSON.stringify(events),
    json,
    events,
  };
}

const OURS = /^(?:policy_denied|upstream_error): /;

/** A guard tells the model of a call that failed in a result, where the gateway has an error. */
function asError(line: Line): NonNullable<Answer["json"]> {
  const message: unknown = line.result?.["content"]?.[0]?.text;
  return line.result?.["isError"] === true &&
    typeof message === "string" &&
    OURS.test(message)
    ? { id: line.id, error: { code: 0, message } }
    : { ...line };
}

/** What the gateway would have answered with. */
function statusOf(json: Answer["json"]): number {
  const [ours] = OURS.exec(json?.error?.message ?? "") ?? [];
  if (ours === undefined) return 200;
  if (ours.startsWith("policy")) return 403;
  return json?.error?.message.includes("gave no answer within") === true
    ? 504
    : 502;
}
