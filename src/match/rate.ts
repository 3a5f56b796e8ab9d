// How many calls in which time, as people write it: `60/min`, `2/s`, `500/h`. Pure.

const WINDOWS: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
};

/** More calls than anybody counts; each is remembered for as long as its window. */
export const MOST_CALLS = 10_000;

interface RateValue {
  readonly calls: number;
  /** Milliseconds. */
  readonly window: number;
}

/** Null when the text is none, or names no call or too many. */
export function parseRate(text: string): RateValue | null {
  const [, digits = "", unit = ""] = /^(\d{1,5})\/(s|min|h)$/.exec(text) ?? [];
  const calls = Number(digits);
  const window = WINDOWS[unit];
  return window === undefined || calls < 1 || calls > MOST_CALLS
    ? null
    : { calls, window };
}

export const printRate = ({ calls, window }: RateValue): string =>
  `${calls}/${Object.keys(WINDOWS).find((unit) => WINDOWS[unit] === window) ?? "s"}`;
