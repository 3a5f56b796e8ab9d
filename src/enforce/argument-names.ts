// Names of a call's arguments for the log: those that the tool declares. Of a tool whose declaration was not seen, those
// that look like names and like no secret. Values are never looked at.
import { findForms } from "../match/find-forms.ts";
import { memberOf } from "./json-scan.ts";
import type { KnownTool } from "./known-tools.ts";
import type { Message } from "./message.ts";

const MOST = 32;

export function argumentNames(
  message: Message,
  tool: KnownTool | null,
): readonly string[] {
  const members = memberOf(message.params, "arguments")?.members ?? [];
  const out: string[] = [];
  for (const { name } of members) {
    if (out.length === MOST) break;
    if (mayBeShown(name, tool)) out.push(name);
  }
  return out;
}

/** Whether the name of an argument may stand in a message and in the log. */
export const mayBeShown = (name: string, tool: KnownTool | null): boolean =>
  tool === null ? isNameLike(name) : tool.argumentNames.has(name);

const isNameLike = (name: string): boolean =>
  /^[A-Za-z_$][A-Za-z0-9_$.-]{0,39}$/.test(name) &&
  findForms(name).length === 0;
