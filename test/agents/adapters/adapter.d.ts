// What the harness has to know about an agent beyond the launch line that Fenzi printed. An adapter only points the agent at
// the scripted model and gives it a prompt: it never adds a flag or variable that has to do with servers, rules or trust.

/** What is appended to a launch line, and set beside its environment. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Adapter {
  /** Value of `--agent`. */
  readonly agent: string;
  /** First word of the launch line. The harness makes it findable through PATH. */
  readonly command: string;
  /** Absolute path of the agent's program below `modules` (`test/agents/node_modules`). May unpack it there. */
  executable(modules: string): string;
  /**
   * Native settings for the machine file (`agents.AGENT.config`) that name the scripted model, or null.
   * `model` is `http://127.0.0.1:PORT`, without a path.
   */
  settings(model: string): object | null;
  drive(model: string, prompt: string): Start;
  /** A tool's full name as the model calls it. A name inside a namespace is joined to it with `__`. */
  toolName(server: string, tool: string): string;
  /** True when the agent offers MCP tools to the model by name, so that a denied one can be looked for. */
  readonly listsTools: boolean;
  /** True when the agent's own filter holds `*` in an allow list. */
  readonly patterns: boolean;
  /** True when a local server is started without the agent's own environment. */
  readonly hidesKeys: boolean;
  /** Keys of `odd-values.mjs` that `compile` has to refuse with `deliver/unescapable` for this agent. */
  readonly refused: {
    readonly arg: readonly string[];
    readonly env: readonly string[];
    readonly header: readonly string[];
  };
  /** Trusts the project as a person does in the agent's own dialogue: in the compiled folder and in HOME. */
  trust(at: {
    readonly folder: string;
    readonly home: string;
    readonly project: string;
    /** The repository that the project is in. */
    readonly repository: string;
  }): void;
  /** How a model finds the MCP tools of an agent that does not list them: one turn. */
  readonly searchTools?: {
    readonly calls: readonly { readonly name: string; readonly args: object }[];
  };
  /** What it does with a project's files in a folder that nobody has trusted, run without a terminal. */
  readonly untrusted: { readonly starts: boolean; readonly calls: boolean };
  /** Its own command that starts only servers of a project that a person has approved, and what it says of those. */
  readonly approved?: {
    readonly args: readonly string[];
    says(server: string): RegExp;
  };
  /** Words with which a model is told that a tool is not there: its own, or those of the guard when it hands on the call. */
  readonly unknownTool: readonly string[];
  /** True when it does not start without the servers that `apply` wrote. */
  readonly requiresServers: boolean;
  /** Puts a server `mine` into the user's own file. */
  ownServer(at: { readonly home: string; readonly url: string }): void;
  /** Which it connects to beside ours: `mine`, and `other` of the project's `.mcp.json`. */
  readonly loads: readonly string[];
  /** Which of them also after `apply --only`. */
  readonly keepsUnderOnly: readonly string[];
  /**
   * Starts the agent without Fenzi in the same folder with the same HOME, which shows that the rogue files work.
   * May write to HOME what points the agent at the scripted model.
   */
  bare(at: {
    readonly home: string;
    readonly project: string;
    readonly model: string;
    readonly prompt: string;
  }): Start;
}
