// The registry of targets, in the order in which they are shown.
import type { Emitter } from "../src/emit/emitter.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { grok } from "./grok/index.ts";
import { opencode } from "./opencode/index.ts";

/** One for each agent; `compile` takes these or others that keep the contract. */
export const emitters: readonly Emitter[] = [claudeCode, codex, opencode, grok];
