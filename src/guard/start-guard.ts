// A running guard: lines of an agent in front, one server behind, and every message of either side judged by the same
// road as in the gateway. All state lies in what this function makes.
import { performance } from "node:perf_hooks";
import type { Readable, Writable } from "node:stream";
import type { CallLimits, RecordLog } from "../enforce/door.ts";
import { enforceRequest, unlogged } from "../enforce/enforce-request.ts";
import { enforceResponse } from "../enforce/enforce-response.ts";
import type { Exchange } from "../enforce/exchange.ts";
import { memberOf } from "../enforce/json-scan.ts";
import {
  idOf,
  readMessage,
  type Message,
  type Problem,
} from "../enforce/message.ts";
import { CODE, type Era } from "../enforce/protocol.ts";
import { bareRecord, type CallRecord } from "../enforce/record.ts";
import type { PinCheck } from "../enforce/pins.ts";
import { createRoad, putInForce, type RoadParts } from "../enforce/road.ts";
import type { Policy } from "../policy/decide.ts";
import type { Behind, Hearer, MessagePlace } from "./behind.ts";
import { failureLine, timeoutWords } from "./failures.ts";
import type { ServerPlan } from "./launch-server.ts";
import { openLocal } from "./local-server.ts";
import type { RemoteServer } from "./remote-server.ts";
import { readLines } from "./read-lines.ts";
import { answerIn } from "./long-line.ts";
import { serverWords } from "./server-words.ts";
import { waitingCalls } from "./waiting.ts";
import { oneLine, wayOut } from "./way-out.ts";

/** A server and what holds for it. */
export interface GuardServer extends RoadParts {
  readonly name: string;
  readonly limits: CallLimits;
  readonly behind:
    | { readonly kind: "local"; readonly plan: ServerPlan }
    | ({ readonly kind: "remote" } & RemoteServer);
}

export interface GuardOptions {
  readonly server: GuardServer;
  /** The agent's side: its messages, and ours for it. Both are closed at the end. */
  readonly input: Readable;
  readonly output: Writable;
  /** Which agent it is; null when that is not known. */
  readonly agent: string | null;
  readonly log: RecordLog;
}

/** How a guard ended. */
export type GuardEnd =
  /** The agent closed its side, or `close` was called. */
  | { readonly kind: "closed" }
  /** The server ended by itself. */
  | {
      readonly kind: "server";
      /** "ended with exit code 1" */
      readonly words: string;
      /** The last lines that it wrote beside the protocol, without secrets and without characters that steer a terminal. */
      readonly lastWords: readonly string[];
    };

export interface Guard {
  /** Resolves when everything has ended: nothing of the server is left, and the agent has all that was for it. */
  readonly ended: Promise<GuardEnd>;
  /** Puts another policy and other limits in force. Whether they are stricter is the caller's to see to. */
  enforce(rules: {
    readonly policy: Policy;
    readonly limits: CallLimits;
    readonly pins: PinCheck;
  }): void;
  /** Ends the server as well: within about five seconds. */
  close(): Promise<void>;
}

/** Requests that wait for the server at once. */
const MOST_CALLS = 512;
/** Milliseconds that the agent gets to take the last messages. */
const FAREWELL = 1_000;
/** Milliseconds between two pieces that are read of an agent while nobody takes them. */
const GLANCE = 500;

/**
 * Starts the server, or gets ready to ask it, and stands before it. Does not reject when the server cannot be started:
 * `ended` says so, and every request gets it as its answer. Both streams are its own until then.
 */
export async function startGuard(options: GuardOptions): Promise<Guard> {
  const { server, input, agent } = options;
  const { name } = server;
  const open = await opener(server.behind);
  const road = createRoad(server);
  let { limits } = server;
  let era: Era = "legacy";
  let now = performance.now();
  /** What became of the server, in words for the agent; null while it runs. */
  let over: string | null = null;
  let ending = "";
  let closing: Promise<void> | null = null;
  let tell: (end: GuardEnd) => void = () => {};
  const ended = new Promise<GuardEnd>((resolve) => {
    tell = resolve;
  });

  const log = (record: CallRecord): boolean =>
    options.log(record, {
      agent,
      milliseconds: Math.round(performance.now() - now),
    }) === true;
  const words = serverWords(road, log);
  const out = wayOut(options.output, {
    ready: () => flow(),
    gone: () => void close(),
  });
  const calls = waitingCalls(
    () => performance.now(),
    (exchange) => {
      fail(exchange, timeoutWords(limits.call));
      behind.cancel(exchange);
      out.flush();
    },
  );
  const fail = (exchange: Exchange, why: string): void => {
    calls.settle(exchange.id);
    behind.settled(exchange, null);
    out.say(failureLine(name, exchange, why));
  };

  // From the agent.

  const judge = (read: Message | Problem, line: Buffer | null): void => {
    const verdict = enforceRequest(road, read, {
      http: null,
      headers: null,
      // What was given up can neither be asked again nor cancelled twice.
      outstanding: read.kind === "notification" ? calls.open : calls.used,
    });
    if (verdict.record === null) return;
    const busy =
      verdict.kind === "forward" &&
      verdict.exchange !== null &&
      calls.open.size >= MOST_CALLS;
    const record: CallRecord = busy
      ? {
          ...verdict.record,
          effect: "deny",
          rule: "busy",
          reason: "too much is under way at once",
        }
      : verdict.record;
    if (!log(record)) return say(unlogged(verdict, road).line);
    if (verdict.kind === "answer") return say(verdict.answer.line);
    if (verdict.kind === "drop") return;
    const { exchange, message, bytes } = verdict;
    if (exchange !== null) {
      if (busy)
        return say(
          failureLine(name, exchange, "has too much under way; try later"),
        );
      if (over !== null) return say(failureLine(name, exchange, over));
      ({ era } = verdict);
      calls.add(
        exchange,
        exchange.method === "subscriptions/listen" ? Infinity : limits.call,
      );
    } else if (over !== null) return;
    else if (message.method === "notifications/cancelled") {
      const node = memberOf(message.params, "requestId");
      const id = node === null ? null : idOf(message.text, node);
      if (id !== null) calls.retire(id);
    }
    const same = bytes === message.bytes && oneLine(message.text);
    behind.forward(
      same === false || same === message.text
        ? verdict
        : { ...verdict, bytes: Buffer.from(same) },
      same === message.text ? line : null,
    );
  };
  const say = (line: string | null): void => {
    if (line !== null) out.say(line);
  };
  const problem = (
    found: string,
    bytes: number,
    code: number = CODE.parse,
  ): Problem => ({
    kind: "problem",
    status: code === CODE.parse ? 400 : 413,
    code,
    words: found,
    id: null,
    method: null,
    bytes,
  });
  const lines = readLines({
    most: () => limits.request,
    line(bytes) {
      const end = bytes.length - (bytes[bytes.length - 2] === CR ? 2 : 1);
      const body = bytes.subarray(0, end);
      if (isBlank(body)) return;
      // Another program may take it for the end of a line.
      if (body.includes(CR))
        return judge(
          problem("a carriage return stands in the line", end),
          null,
        );
      judge(
        readMessage(body, { bytes: limits.request }),
        end === bytes.length - 1 ? bytes : null,
      );
    },
    tooLong: (first) =>
      judge(
        problem(
          "the message is larger than `limits.request`",
          Math.max(first.length, limits.request),
          CODE.invalid,
        ),
        null,
      ),
  });
  const onData = (chunk: Buffer): void => {
    now = performance.now();
    lines.push(chunk);
    behind.flush();
    out.flush();
    flow();
  };
  const onEnd = (): void => {
    if (closing !== null) return;
    const { length } = lines.rest();
    // Even if it could be read: whoever wrote it was cut short.
    if (length > 0) log(lostLine(name, length));
    void close();
  };

  // From the server.

  const hearer: Hearer = {
    message(text, from) {
      now = performance.now();
      const verdict = enforceResponse(road, text, {
        outstanding: from?.outstanding ?? calls.open,
        place: from?.place ?? "stream",
        era,
      });
      switch (verdict.kind) {
        case "pass": {
          const { settled } = verdict;
          const logged = verdict.record === null || log(verdict.record);
          if (settled !== null) calls.settle(settled.id);
          if (logged) {
            out.say(verdict.text);
            if (settled !== null) behind.settled(settled, verdict.text);
          } else if (settled !== null)
            fail(settled, "cannot be answered: the log cannot be written");
          return;
        }
        case "reply":
          if (verdict.record === null || words.log(verdict.record))
            behind.reply(verdict.text);
          return;
        case "drop":
          if (verdict.record !== null) words.log(verdict.record);
          return;
        case "broken": {
          words.log(verdict.record);
          const exchange = verdict.exchange ?? onlyIn(from);
          if (exchange !== null && calls.open.has(exchange.id))
            fail(exchange, `gave no answer: ${verdict.reason}`);
        }
      }
    },
    noise: words.noise,
    failed(exchange, why) {
      if (exchange !== null && calls.open.has(exchange.id)) fail(exchange, why);
    },
    tooLong(first, last) {
      const exchange = answerIn(first, last, calls.open);
      words.log(tooLong(name, exchange));
      if (exchange !== null)
        fail(exchange, "gave an answer that is larger than `limits.response`");
    },
    pass: () => {
      out.flush();
      flow();
    },
    ready: () => flow(),
    ended(why) {
      ending = why;
      const last = words.last().at(-1);
      over = last === undefined ? why : `${why}; the last it said: ${last}`;
      for (const exchange of calls.open.values()) fail(exchange, over);
      void close();
    },
  };
  const behind = open(hearer, () => limits.response);

  // Neither side is read while the other does not take what it said.
  let reading = true;
  let heard = true;
  // But for a piece now and then: that the agent is gone is seen only by who reads.
  let glances: NodeJS.Timeout | undefined;
  const flow = (): void => {
    const full = out.isFull();
    if (heard === full) {
      heard = !full;
      if (full) behind.pause();
      else behind.resume();
    }
    const free = !full && !behind.isFull();
    if (!free && closing === null) input.pause();
    if (reading === free || closing !== null) return;
    reading = free;
    clearInterval(glances);
    if (free) input.resume();
    else glances = setInterval(() => input.resume(), GLANCE);
  };

  const end = async (): Promise<void> => {
    clearInterval(glances);
    input.off("data", onData);
    input.pause();
    await behind.close();
    calls.stop();
    words.close();
    await out.end(FAREWELL);
    input.destroy();
    options.output.destroy();
    tell(
      over === null
        ? { kind: "closed" }
        : { kind: "server", words: ending, lastWords: words.last() },
    );
  };
  const close = (): Promise<void> => (closing ??= end());
  input.on("data", onData);
  input.once("end", onEnd);
  input.once("close", onEnd);
  input.on("error", () => void close());

  return {
    ended,
    enforce(rules) {
      putInForce(road, rules);
      ({ limits } = rules);
    },
    close,
  };
}

type Open = (hearer: Hearer, mostBytes: () => number) => Behind;

/** What speaks HTTP is loaded only when it is needed. */
async function opener(behind: GuardServer["behind"]): Promise<Open> {
  if (behind.kind === "local")
    return (hearer, most) => openLocal(behind.plan, hearer, most);
  const { openRemote } = await import("./remote-server.ts");
  return (hearer, most) => openRemote(behind, hearer, most);
}

const CR = 0x0d;

/** The request that the only message of an answer belongs to. */
function onlyIn(from: MessagePlace | undefined): Exchange | null {
  const [only] = from?.place === "body" ? from.outstanding.values() : [];
  return only ?? null;
}

const isBlank = (bytes: Buffer): boolean => {
  const first = bytes[0];
  return (
    first === undefined ||
    ((first === 0x20 || first === 0x09) &&
      bytes.every((byte) => byte === 0x20 || byte === 0x09))
  );
};

const lostLine = (server: string, bytes: number): CallRecord =>
  bareRecord({
    server,
    effect: "deny",
    reason: "the input ended in the middle of a line",
    rule: "malformed",
    bytes,
  });

const tooLong = (server: string, exchange: Exchange | null): CallRecord =>
  bareRecord({
    server,
    effect: "deny",
    method: exchange?.method ?? null,
    tool: exchange?.tool ?? null,
    reason: "the server's line is larger than `limits.response`",
    rule: "limits.response",
  });
