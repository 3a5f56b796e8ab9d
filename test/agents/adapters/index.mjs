// The agents that the harness drives, in the order in which it runs them.
import { claudeCode } from "./claude-code.mjs";
import { codex } from "./codex.mjs";
import { grok } from "./grok.mjs";
import { opencode } from "./opencode.mjs";

/** @type {readonly import("./adapter.d.ts").Adapter[]} */
export const adapters = [claudeCode, codex, opencode, grok];
