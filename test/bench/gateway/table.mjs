// How the measurements are compared and printed.

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median over the rounds of what the two say in one round. */
export const compared = (of, to, kind, how = (a, b) => a / b) =>
  median(of[kind].map((value, round) => how(value, to[kind][round])));

const cell = (value, digits) =>
  (typeof value === "number" ? value.toFixed(digits) : value).padStart(13);

export function printRows(rows) {
  const heads = ["p50, ms", "calls/s", "1st event, ms", "memory, MiB"];
  console.log("".padEnd(14) + heads.map((head) => cell(head)).join(""));
  for (const { name, p50, perSecond, firstEvent, resident } of rows)
    console.log(
      name.padEnd(14) +
        cell(median(p50), 3) +
        cell(median(perSecond), 0) +
        cell(firstEvent.length === 0 ? "" : median(firstEvent), 3) +
        cell(resident, 0),
    );
}

/** Whether all are held. */
export function printTargets(targets) {
  let allHeld = true;
  for (const [name, value, sign, limit] of targets) {
    const held = sign === "<=" ? value <= limit : value >= limit;
    allHeld &&= held;
    console.log(
      `${name.padEnd(40)}${cell(value, 2)}   ${sign} ${limit}${held ? "" : "  MISSED"}`,
    );
  }
  return allHeld;
}
