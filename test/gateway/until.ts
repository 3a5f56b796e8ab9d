// Waiting for something that comes by itself, and failing when it does not; and a clock that can be set.
import { vi } from "vitest";

/** Generous: only a test that fails waits for all of it, and a busy machine is slow. */
const LONG = 30_000;

export async function until(
  what: () => boolean,
  milliseconds = LONG,
): Promise<void> {
  for (let waited = 0; !what(); waited += 5) {
    if (waited > milliseconds) throw new Error("it did not come to that");
    await pause(5);
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const now = performance.now.bind(performance);

/**
 * The clock by which the gateway measures time runs so many milliseconds ahead from now on: a test waits for no limit, and
 * no limit is over before the test is there. `endWorlds` sets it right again.
 */
export function runAhead(milliseconds: number): void {
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}
