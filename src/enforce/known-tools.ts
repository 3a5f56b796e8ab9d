// What a server's tool lists have told: the arguments a tool declares (their names may be logged), the headers it
// mirrors, and names that stand more than once in a list, whose calls are refused since nobody can say which would run.

import { ownCopy } from "./own-copy.ts";

export interface KnownTool {
  readonly argumentNames: ReadonlySet<string>;
  /** Those that are declared as strings and nothing else. */
  readonly textArguments: ReadonlySet<string>;
  readonly headers: readonly ParamHeader[];
  /** Of its definition, for comparing with pins; null when the server is not pinned. */
  readonly hash: string | null;
}

/** `Mcp-Param-NAME` mirrors the argument at `path`. */
export interface ParamHeader {
  /** Lower case. */
  readonly name: string;
  readonly path: readonly string[];
}

export interface KnownTools {
  get(name: string): KnownTool | null;
  learn(name: string, tool: KnownTool): void;
  isListedTwice(name: string): boolean;
  /**
   * Takes note of the names on one page of a list and says which of them stand twice in it so far. `cursor` is what the
   * page was asked for with, `next` what it gave; null for none.
   */
  seePage(page: {
    readonly names: readonly string[];
    readonly cursor: string | null;
    readonly next: string | null;
  }): ReadonlySet<string>;
}

/** Bounds, so that a server cannot fill the memory with names. */
const MAX_TOOLS = 10_000;
const MAX_LISTINGS = 32;

/** The pages of one list that have been seen. */
interface Listing {
  readonly names: Set<string>;
  readonly twice: Set<string>;
}

export function createKnownTools(): KnownTools {
  const tools = new Map<string, KnownTool>();
  const listedTwice = new Set<string>();
  /** Lists that go on, by the cursor of their next page. */
  const listings = new Map<string, Listing>();

  return {
    get: (name) => tools.get(name) ?? null,
    learn(name, tool) {
      if (tools.size < MAX_TOOLS || tools.has(name))
        tools.set(ownCopy(name), {
          argumentNames: new Set([...tool.argumentNames].map(ownCopy)),
          textArguments: new Set([...tool.textArguments].map(ownCopy)),
          headers: tool.headers,
          hash: tool.hash,
        });
    },
    isListedTwice: (name) => listedTwice.has(name),
    seePage({ names, cursor, next }) {
      const before = cursor === null ? undefined : listings.get(cursor);
      // A copy: the same cursor may be asked for again.
      const listing: Listing = {
        names: new Set(before?.names),
        twice: new Set(before?.twice),
      };
      for (const name of names) {
        if (listing.names.has(name)) listing.twice.add(ownCopy(name));
        else if (listing.names.size < MAX_TOOLS)
          listing.names.add(next === null ? name : ownCopy(name));
      }
      for (const name of listing.twice)
        if (listedTwice.size < MAX_TOOLS) listedTwice.add(name);
      if (next === null) {
        // The list has been seen to its end: names that were doubled once and no longer are may be called again.
        if (cursor === null || before !== undefined)
          for (const name of listing.names)
            if (!listing.twice.has(name)) listedTwice.delete(name);
      } else {
        const oldest = listings.keys().next().value;
        if (listings.size >= MAX_LISTINGS && oldest !== undefined)
          listings.delete(oldest);
        listings.set(ownCopy(next), listing);
      }
      return listing.twice;
    },
  };
}
