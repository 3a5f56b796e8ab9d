// What one agent is told to connect to, and what it has to be started with. Made by `src/deliver`, read by emitters.
import type { Span } from "../diagnostics/diagnostic.ts";
import type { Origin, Template, ToolRule } from "./model.ts";

/** How far an agent's own rules can go in one place (allow, ask or deny). */
export type RuleReach =
  /** Only whole tool names. */
  | "exact"
  /** Whole names, and `*` at the end. */
  | "prefix"
  /** Whole names, and `*` for any run of characters. */
  | "pattern";

/** What an agent's own tool filter can say. Data of the emitter; `src/deliver` computes with it. */
export interface FilterReach {
  readonly allow: RuleReach;
  readonly ask: RuleReach;
  readonly deny: RuleReach;
  /** Characters of a tool name outside this class reach the agent's rules as `_`; null when names are kept. */
  readonly kept: RegExp | null;
}

/**
 * The policy as far as one agent's filter can say it: never wider than `decide`. Texts are in the server's spelling.
 * `everything` is the base on which `ask` and `deny` are laid; otherwise only `allow` and `ask` entries are usable.
 */
export interface Filter {
  readonly everything: boolean;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface NamedValue {
  readonly name: string;
  readonly value: Template;
  readonly at: Span;
}

export interface DeliveredHttp {
  readonly kind: "http";
  readonly url: string;
  readonly headers: readonly NamedValue[];
  /** The header and the variable whose value the agent sends, or null. */
  readonly token: {
    readonly scheme: "bearer" | "header";
    readonly header: string;
    readonly variable: string;
  } | null;
}

export interface DeliveredStdio {
  readonly kind: "stdio";
  readonly command: readonly { readonly value: Template; readonly at: Span }[];
  readonly env: readonly NamedValue[];
  /** Absolute folder to start in as it will be seen by the agent. */
  readonly cwd: {
    readonly path: string;
    /** "given": written by a person; "own": the empty folder of a machine's server; "home": the file's folder. */
    readonly why: "given" | "own" | "home";
    readonly at: Span;
  };
}

/** One server as one agent gets it. A new field here must be answered by every emitter's support table. */
export interface Delivered {
  readonly name: string;
  readonly origin: Origin;
  readonly transport: DeliveredHttp | DeliveredStdio;
  readonly filter: Filter;
  /** Rules of the merged policy that `filter` could not say, each with the effect it has in the policy. */
  readonly leftOut: readonly {
    readonly effect: "allow" | "ask" | "deny";
    readonly rule: ToolRule;
  }[];
  /** What stands in the files while nobody stands between the agent and the server to hold it. */
  readonly unheld: readonly Unheld[];
  /** Null when the agent reaches the server without a guard. */
  readonly guard: GuardNeeds | null;
}

/** What an agent must give `fenzi guard`, which stands between it and a server. */
export interface GuardNeeds {
  /** Milliseconds after which an answer is there, whatever happens. */
  readonly wait: number;
  /** Variables that the server's entry names. */
  readonly needs: readonly string[];
  /** Variables from which the guard may take the server's token. */
  readonly token: readonly string[];
}

/** A rule that is no tool rule, and where it stands first. */
export interface Unheld {
  readonly key:
    | "limits.call"
    | "limits.request"
    | "limits.response"
    | "limits.rate"
    | "paths.read"
    | "paths.write"
    | "hosts.allow"
    | "hosts.ports"
    | "private"
    | "secrets.refuse"
    | "secrets.redact"
    | "isolation";
  readonly at: Span;
}

/** How to start an agent so that it uses only these servers. */
export interface Launch {
  readonly argv: readonly string[];
  /** Set for the agent, on top of the caller's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that must be set by the caller: tokens, references, the model's key. */
  readonly needs: readonly string[];
  readonly cwd: string;
}
