// A scripted model on loopback. It speaks the wire formats of the four agents, keeps what they sent, and finds its place in
// the script from the call ids that the request already answers, so that it has no session.
import { createServer } from "node:http";
import { readBody, sendJson } from "./http.mjs";
import { anthropic } from "./wire/anthropic.mjs";
import { chat } from "./wire/chat.mjs";
import { responses } from "./wire/responses.mjs";

const FORMATS = [
  ["/messages", anthropic],
  ["/chat/completions", chat],
  ["/responses", responses],
];

/**
 * @typedef {{ name: string, args: object }} Call            `name` as the agent offers it
 * @typedef {({ calls: readonly Call[] } | { text: string }) & { before?: () => Promise<void> }} Turn
 * @typedef {object} Model
 * @property {string} url                                    `http://127.0.0.1:PORT`
 * @property {(script: readonly Turn[]) => void} play        sets the script and forgets what was seen
 * @property {() => readonly string[]} offered               full names of every tool offered since `play`
 * @property {() => readonly { name: string, output: string }[]} results  what the agent answered to each call
 * @property {() => string} heard                            all that the agent sent since `play`, heads and bodies
 * @property {() => number} turns                            how many requests took part in the script
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Model>} */
export async function startModel() {
  let script = [];
  let offered = new Set();
  let outputs = new Map();
  let turns = 0;
  let heard = [];

  /** What to answer: text, or calls each with an id that says its place. */
  async function plan(format, body) {
    const tools = format.tools(body);
    if (tools.length === 0) return { text: "ok" };
    const forced = format.forced(body);
    if (forced) {
      const args = { title: "scripted", session_title: "scripted" };
      return { calls: [{ id: "call_aside", name: forced, args }] };
    }
    for (const tool of tools) offered.add(tool.full);
    for (const { id, output } of format.outputs(body)) outputs.set(id, output);
    turns += 1;
    const places = format.outputs(body).map(({ id }) => placeOf(id));
    const place = Math.max(-1, ...places) + 1;
    const turn = script[place] ?? { text: "done" };
    await turn.before?.();
    if ("text" in turn) return turn;
    return {
      calls: turn.calls.map((call, index) => ({
        id: `call_script_${place}_${index}`,
        ...address(tools, call),
      })),
    };
  }

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const found = FORMATS.find(([end]) => path.endsWith(end));
    const text = await readBody(request);
    heard.push(request.url, ...request.rawHeaders, text);
    if (request.method === "POST" && found) {
      const body = JSON.parse(text);
      return found[1].send(response, body, await plan(found[1], body));
    }
    if (path.endsWith("/count_tokens"))
      return sendJson(response, 200, { input_tokens: 10 });
    if (path.endsWith("/models"))
      return sendJson(response, 200, {
        object: "list",
        data: [{ id: "scripted", object: "model", created: 0, owned_by: "x" }],
      });
    if (request.method === "HEAD") return response.writeHead(200).end();
    return sendJson(response, 404, { error: { message: "not scripted" } });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    play(next) {
      script = next;
      offered = new Set();
      outputs = new Map();
      turns = 0;
      heard = [];
    },
    heard: () => heard.join("\n"),
    offered: () => [...offered].sort(),
    results: () =>
      script.flatMap((turn, place) =>
        (turn.calls ?? []).map((call, index) => ({
          name: call.name,
          output: outputs.get(`call_script_${place}_${index}`) ?? "",
        })),
      ),
    turns: () => turns,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function placeOf(id) {
  const match = /^call_script_(\d+)_\d+$/.exec(id);
  return match ? Number(match[1]) : -1;
}

/**
 * How a call is said to this agent: as an offered tool; through a dispatcher (Grok's `use_tool`); or, when it is not
 * offered, by its bare name all the same, so that the agent's own refusal is seen.
 */
function address(tools, { name, args }) {
  const hit = tools.find((tool) => tool.full === name);
  if (hit) return { name: hit.name, namespace: hit.namespace, args };
  if (tools.some((tool) => tool.full === "use_tool"))
    return { name: "use_tool", args: { tool_name: name, tool_input: args } };
  const inside = tools.find(
    (tool) => tool.namespace && name.startsWith(`${tool.namespace}__`),
  );
  if (!inside) return { name, args };
  const rest = name.slice(inside.namespace.length + 2);
  return { name: rest, namespace: inside.namespace, args };
}
