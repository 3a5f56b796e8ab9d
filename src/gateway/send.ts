// The gateway's answers to its clients: every header is made here, none is a server's.
import type { ServerResponse } from "node:http";

export interface SendOptions {
  /** More header lines: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Ends the connection after the answer: its rest cannot be trusted to be a request. */
  readonly close?: boolean;
}

/** A whole answer in one write. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: string,
  options: SendOptions = {},
): void {
  if (res.headersSent || res.destroyed) return;
  const lines = [
    "content-type",
    "application/json",
    "cache-control",
    "no-store",
    "content-length",
    String(Buffer.byteLength(body)),
  ];
  if (options.headers !== undefined)
    for (const each of options.headers) lines.push(each);
  if (options.close === true) lines.push("connection", "close");
  res.writeHead(status, lines);
  // As a text, which Node sends in one piece with the head.
  res.end(body);
}

/** An answer that no message caused: there is no id to name. */
export const sendError = (
  res: ServerResponse,
  status: number,
  error: string,
  options: SendOptions & { readonly message?: string } = {},
): void =>
  sendJson(
    res,
    status,
    JSON.stringify({ error, message: options.message }),
    options,
  );

/** An answer without a body. */
export function sendEmpty(
  res: ServerResponse,
  status: number,
  options: SendOptions = {},
): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, [
    "cache-control",
    "no-store",
    ...(status === 204 ? [] : ["content-length", "0"]),
    ...(options.headers ?? []),
    ...(options.close === true ? ["connection", "close"] : []),
  ]);
  res.end();
}

/** GET and DELETE where there is nothing to get or to end; the one status that clients take in silence. */
export const sendNotOffered = (res: ServerResponse): void =>
  sendError(res, 405, "method_not_allowed", { headers: ["allow", "POST"] });

/** Whatever goes wrong here in an unforeseen way ends this one request, and as a refusal. */
export function orRefuse(res: ServerResponse, act: () => void): void {
  try {
    act();
  } catch {
    if (res.headersSent) res.destroy();
    else sendError(res, 500, "internal_error", { close: true });
  }
}
