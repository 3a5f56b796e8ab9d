// Lines of the log that a server causes by itself, without a request: so many at once, then a few a second, and one line
// that says how many there were besides. A server must not be able to fill the log.

interface Limiter {
  /** Whether one more may be written now. */
  take(): boolean;
  /** How many were not, since this was last asked. */
  missed(): number;
}

export function createLimiter(
  burst: number,
  perSecond: number,
  now: () => number,
): Limiter {
  let left = burst;
  let at = now();
  let missed = 0;
  return {
    take() {
      const moment = now();
      left = Math.min(burst, left + ((moment - at) / 1_000) * perSecond);
      at = moment;
      if (left < 1) {
        missed++;
        return false;
      }
      left--;
      return true;
    },
    missed() {
      const count = missed;
      missed = 0;
      return count;
    },
  };
}
