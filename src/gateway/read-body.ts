// The body of a request, whole and bounded. What is larger is refused without being kept; what is cut short is never
// used. How long it may take, Node's own clock over the whole request says.
import type { IncomingMessage } from "node:http";

export type Body =
  { readonly bytes: Buffer } | { readonly problem: "too-large" | "cut-short" };

/** Calls `done` once. After a problem the rest of the body is thrown away. */
export function readBody(
  req: IncomingMessage,
  mostBytes: number,
  declared: string | undefined,
  done: (body: Body) => void,
): void {
  const expected = declared === undefined ? null : Number(declared);
  if (expected !== null && expected > mostBytes)
    return done({ problem: "too-large" });
  let first: Buffer | null = null;
  let rest: Buffer[] | null = null;
  let length = 0;
  let over = false;
  const finish = (body: Body): void => {
    if (over) return;
    over = true;
    done(body);
  };
  const whole = (): void =>
    finish({
      bytes:
        rest !== null
          ? Buffer.concat(rest, length)
          : (first ?? Buffer.alloc(0)),
    });
  req.on("data", (chunk: Buffer) => {
    if (over) return;
    length += chunk.length;
    if (length > mostBytes) return finish({ problem: "too-large" });
    if (first === null) first = chunk;
    else (rest ??= [first]).push(chunk);
    // Node gives no more than was declared, so there is no need to wait for the end to be told.
    if (length === expected) whole();
  });
  req.on("end", whole);
  req.on("error", () => finish({ problem: "cut-short" }));
}
