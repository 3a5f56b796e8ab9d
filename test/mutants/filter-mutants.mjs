// Small wrongs in what agents are told: in the filter that is computed for them, and in how each emitter writes it.
const FLATTEN = "src/deliver/flatten-rules.ts";
const CLAUDE = "emitters/claude-code/permissions.ts";
const CODEX = "emitters/codex/tools.ts";
const OPENCODE = "emitters/opencode/permission.ts";
const GROK = "emitters/grok/rules.ts";

export const filterMutants = [
  {
    name: "filter: patterns of any layer",
    file: FLATTEN,
    find: "      patterns.every(",
    replace: "      patterns.some(",
  },
  {
    name: "filter: rules that cannot be laid on the base are forgotten",
    file: FLATTEN,
    find: "const wide = hindering.length === 0;",
    replace: "const wide = true;",
  },
  {
    name: "filter: names that meet in the agent's spelling stay allowed",
    file: FLATTEN,
    find: "const met = meeting.get(spelled) ?? own;",
    replace: "const met = own;",
  },
  {
    name: "filter: a pattern whose characters the agent maps is written",
    file: FLATTEN,
    find: "spell(text, reach) === text;",
    replace: "Math.PI > 0;",
  },
  {
    name: "filter: refused names pass by the base",
    file: FLATTEN,
    find: 'deny: sorted([...refused, ...(based ? named("deny") : [])])',
    replace: "deny: sorted(refused)",
  },
  {
    name: "filter: everything, whatever is listed",
    file: FLATTEN,
    find: "everything: everything && wide",
    replace: "everything: wide",
  },
  {
    name: "filter: asked names are allowed",
    file: FLATTEN,
    find: 'sorted([...named("allow"), ...patterns',
    replace: 'sorted([...named("allow"), ...named("ask"), ...patterns',
    also: {
      file: FLATTEN,
      find: 'ask: sorted([...named("ask"), ...askPatterns])',
      replace: "ask: sorted(askPatterns)",
    },
  },
  {
    name: "filter: what was left out is not said",
    file: "src/emit/emit-all.ts",
    find: "    for (const each of leftOut(emitter, server)) diagnostics.push(each);\n",
    replace: "    leftOut(emitter, server);\n",
  },
  {
    name: "token: not given to the agent",
    file: "src/deliver/deliver.ts",
    find: 'token.kind === "none"\n        ? null',
    replace: 'token.kind !== "none"\n        ? null',
  },

  {
    name: "claude-code: deny dropped",
    file: CLAUDE,
    find: "deny: rules(({ filter }) => filter.deny)",
    replace: "deny: []",
  },
  {
    name: "claude-code: ask dropped",
    file: CLAUDE,
    find: "ask: rules(({ filter }) => filter.ask)",
    replace: "ask: []",
  },
  {
    name: "claude-code: allow dropped",
    file: CLAUDE,
    find: "...rules(({ filter }) => filter.allow),",
    replace: "",
  },
  {
    name: "claude-code: everything assumed",
    file: CLAUDE,
    find: ".filter(({ filter }) => filter.everything)",
    replace: "",
  },
  {
    name: "claude-code: names not in its spelling",
    file: CLAUDE,
    find: "__${spelled(tool)}`",
    replace: "__${tool}`",
  },

  {
    name: "codex: deny dropped",
    file: CODEX,
    find: "...(deny.length === 0 ? {} : { disabled_tools: deny })",
    replace: "...(deny.length === 0 ? {} : {})",
  },
  {
    name: "codex: ask dropped",
    file: CODEX,
    find: '{ approval_mode: "prompt" as const }',
    replace: '{ approval_mode: "approve" as const }',
  },
  {
    name: "codex: asked tools not offered",
    file: CODEX,
    find: "[...new Set([...allow, ...ask])]",
    replace: "[...new Set(allow)]",
  },
  {
    name: "codex: allow dropped",
    file: CODEX,
    find: "[...new Set([...allow, ...ask])]",
    replace: "[...new Set(ask)]",
  },
  {
    name: "codex: everything assumed",
    file: CODEX,
    find: "...(everything\n",
    replace: "...(everything || Math.PI > 0\n",
  },

  {
    name: "opencode: deny dropped",
    file: OPENCODE,
    find: '["allow", "ask", "deny"] as const',
    replace: '["allow", "ask"] as const',
  },
  {
    name: "opencode: ask dropped",
    file: OPENCODE,
    find: '["allow", "ask", "deny"] as const',
    replace: '["allow", "deny"] as const',
  },
  {
    name: "opencode: allow dropped",
    file: OPENCODE,
    find: '["allow", "ask", "deny"] as const',
    replace: '["ask", "deny"] as const',
  },
  {
    name: "opencode: allow wins by standing last",
    file: OPENCODE,
    find: '["allow", "ask", "deny"] as const',
    replace: '["deny", "ask", "allow"] as const',
  },
  {
    name: "opencode: everything assumed",
    file: OPENCODE,
    find: 'filter.everything ? "allow" : "deny"',
    replace: '"allow"',
  },
  {
    name: "opencode: names not in its spelling",
    file: OPENCODE,
    find: "_${spelled(tool)}`",
    replace: "_${tool}`",
  },

  {
    name: "grok: deny dropped",
    file: GROK,
    find: "const deny = filter.deny.filter(isOffered);",
    replace: "const deny: readonly string[] = [];",
  },
  {
    name: "grok: ask dropped",
    file: GROK,
    find: "const ask = filter.ask.filter(isOffered);",
    replace: "const ask: readonly string[] = [];",
  },
  {
    name: "grok: allow dropped",
    file: GROK,
    find: "const allow = filter.allow.filter(isOffered);",
    replace: "const allow: readonly string[] = [];",
  },
  {
    name: "grok: everything assumed",
    file: GROK,
    find: "if (filter.everything)",
    replace: "if (Math.PI > 0)",
  },
  {
    name: "grok: what is not listed is not refused",
    file: GROK,
    find: "deny: [...deny, ...patterns]",
    replace: "deny",
  },
];
