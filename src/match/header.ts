// Header names and values, RFC 9110 sections 5.1 and 5.5, and the headers that an HTTP client sets by itself. Pure.

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters and U+0080–U+00FF, with blanks and tabs only between them. Empty is allowed. */
const VALUE =
  /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;

/** Headers that frame a request, route it, or mirror its body. */
const CLIENT = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "origin",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export const isHeaderName = (name: string): boolean => NAME.test(name);

export const isHeaderValue = (value: string): boolean => VALUE.test(value);

/** Whether the client sets this header itself, so that it cannot be configured. */
export function isClientHeader(name: string): boolean {
  const folded = name.toLowerCase();
  return CLIENT.has(folded) || /^(?:mcp|proxy|sec)-/.test(folded);
}
