// What stands behind a guard, as the guard sees it: something that takes messages and gives messages, whether it is a
// process or an address.
import type { Exchange, Outstanding } from "../enforce/exchange.ts";
import type { Verdict } from "../enforce/verdict.ts";

export type Forward = Extract<Verdict, { readonly kind: "forward" }>;

export interface Behind {
  /** Sends what was judged. `line` is the line it came as, its end included, when that may go on as it is. */
  forward(verdict: Forward, line: Buffer | null): void;
  /** Sends our own answer to a request of the server. */
  reply(text: string): void;
  /** Nobody waits for the answer to that request any more. */
  cancel(exchange: Exchange): void;
  /** A request has its answer. `text` is what the agent got; null when that was an error of ours. */
  settled(exchange: Exchange, text: string | null): void;
  /** Sends what was collected. Called when a batch of messages is over. */
  flush(): void;
  /** It takes no more for now; `Hearer.ready` says when it does again. */
  isFull(): boolean;
  /** Stops and goes on reading what it says. */
  pause(): void;
  resume(): void;
  /** The agent has nothing more to say, or is gone: everything ends. */
  close(): Promise<void>;
}

/** The message that tells a server so. `id` is JSON text. */
export const cancelled = (id: string): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;

/** Where a message arrived: which answers may come there. */
export interface MessagePlace {
  readonly outstanding: Outstanding;
  /** See `src/enforce`: the only message, or one of many. */
  readonly place: "body" | "stream";
}

/** Who hears what comes from behind. */
export interface Hearer {
  /** One message as text; the guard judges it. `from`: where it came, when that is not one way for all. */
  message(text: string, from?: MessagePlace): void;
  /** A line that is none, or what it says beside the protocol. It must not be passed on. */
  noise(rule: "noise" | "stderr", bytes: Buffer): void;
  /** There will be no answer to that request; null: to none in particular. The words are ours. */
  failed(exchange: Exchange | null, words: string): void;
  /** A line was too long. Its first and its last bytes may tell whose answer it was. */
  tooLong(first: Buffer, last: Buffer): void;
  /** What has been said so far is to go to the agent now. */
  pass(): void;
  ready(): void;
  /** It has ended by itself, in words ("ended with exit code 1"): every request that waits gets that as its answer. */
  ended(words: string): void;
}
