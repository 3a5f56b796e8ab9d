// A notification on its way to the server. There is nothing to pass back but whether it was taken.
import type { ServerResponse } from "node:http";
import { memberOf } from "../enforce/json-scan.ts";
import { idOf } from "../enforce/message.ts";
import type { Verdict } from "../enforce/verdict.ts";
import {
  badGateway,
  badToken,
  noSession,
  refusedUpstream,
  timedOut,
  type Failure,
} from "./failures.ts";
import type { CallEntry, GateSession, Ready, Way } from "./gate.ts";
import { swapOf } from "./keep-apart.ts";
import { linesFor } from "./lines.ts";
import { sendEmpty, sendJson } from "./send.ts";
import { swapCancelled } from "./swap-ids.ts";
import type { Flight } from "../upstream/open-upstream.ts";

interface ForwardedNotice {
  readonly way: Way;
  readonly verdict: Extract<Verdict, { readonly kind: "forward" }>;
  readonly session: GateSession | null;
  readonly res: ServerResponse;
}

/** Counts it as under way. What comes back lets it go out, or drops it. */
export function forwardNotice(notice: ForwardedNotice): Ready {
  const { way, verdict, session, res } = notice;
  const { gate, served } = way;
  const { name } = served;
  let over = false;
  let taken = 0;
  let flight: Flight | null = null;
  served.calls++;
  const finish = (): void => {
    over = true;
    served.calls--;
    gate.calls.remove(entry);
  };
  const answer = (failure: Failure): void => {
    finish();
    flight?.abort();
    sendJson(res, failure.status, failure.body);
  };
  const gone = (): void => {
    if (over) return;
    finish();
    flight?.abort();
  };
  const entry: CallEntry = {
    client: way.client,
    served,
    session,
    exchange: null,
    swap: null,
    until: gate.deadlines.after(served.limits.call),
    late: () => answer(timedOut(name, null, served.limits.call)),
    prev: null,
    next: null,
    end: () => answer(badGateway(name, null, "the gateway is closing")),
  };
  gate.calls.add(entry);
  res.on("close", gone);
  const send = (): Flight =>
    served.upstream.send(
      {
        method: "POST",
        lines: linesFor(verdict.headers, session),
        body: bytesOf(notice),
        endless: false,
      },
      {
        head(status) {
          if (over) return;
          if (status >= 200 && status < 300) {
            finish();
            return sendEmpty(res, 202);
          }
          if (status === 404 && session !== null) {
            gate.sessions.end(session);
            return answer(noSession(name, null));
          }
          if (status === 401 || status === 403 || status === 407)
            return answer(badToken(name, null));
          answer(
            status >= 400 && status < 500
              ? refusedUpstream(name, null, status)
              : badGateway(name, null, `it answered with status ${status}`),
          );
        },
        data(chunk) {
          // Whatever is said to a notification is thrown away, but not without end.
          taken += chunk.length;
          if (taken > gate.bounds.errorBytes) flight?.abort();
        },
        end() {},
        failed(words) {
          if (!over) answer(badGateway(name, null, words));
        },
      },
    );
  return {
    go() {
      if (!over) flight = send();
    },
    drop(refuse) {
      if (over) return;
      finish();
      refuse();
    },
  };
}

/** A cancellation names the id under which the request went out. */
function bytesOf({ way, verdict, session }: ForwardedNotice): Uint8Array {
  const { message, bytes } = verdict;
  if (message.method !== "notifications/cancelled") return bytes;
  const named = memberOf(message.params, "requestId");
  const id = named === null ? null : idOf(message.text, named);
  const swap = id === null ? null : swapOf(way, session, id);
  return swap === null ? bytes : swapCancelled(bytes, swap);
}
