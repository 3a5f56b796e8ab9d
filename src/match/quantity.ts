// Times and sizes as people write them: a whole number and a unit, `30s`, `500ms`, `8MiB`. Pure.

const TIMES: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
};
const SIZES: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 1_024,
  MiB: 1_024 ** 2,
};

type QuantityKind = "time" | "size";

/** Milliseconds or bytes; null when the text is none, or so long that its number would be rounded. */
export function parseQuantity(text: string, kind: QuantityKind): number | null {
  const [, digits = "", unit = ""] = /^(\d{1,12})([A-Za-z]+)$/.exec(text) ?? [];
  const factor = (kind === "time" ? TIMES : SIZES)[unit];
  return digits === "" || factor === undefined ? null : Number(digits) * factor;
}

/** In the largest unit that leaves a whole number. */
export function printQuantity(value: number, kind: QuantityKind): string {
  const units = Object.entries(kind === "time" ? TIMES : SIZES).reverse();
  const found = units.find(([, factor]) => value % factor === 0 && value > 0);
  const [unit, factor] = found ?? [kind === "time" ? "ms" : "B", 1];
  // `60s` is what people write, not `1min`.
  if (unit === "min" && value < 120_000) return `${value / 1_000}s`;
  return `${value / factor}${unit}`;
}

/** What the keys of `limits` may hold, and what holds when they are absent. */
export const LIMITS = {
  call: { kind: "time", least: 100, most: 3_600_000, fallback: 60_000 },
  request: {
    kind: "size",
    least: 1_024,
    most: 64 * 1_024 ** 2,
    fallback: 4 * 1_024 ** 2,
  },
  response: {
    kind: "size",
    least: 1_024,
    most: 256 * 1_024 ** 2,
    fallback: 16 * 1_024 ** 2,
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly kind: QuantityKind;
      readonly least: number;
      readonly most: number;
      readonly fallback: number;
    }
  >
>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];
