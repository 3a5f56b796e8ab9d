// The nearest known word to a misspelt one.

/** Optimal string alignment distance (insert, delete, replace, swap of neighbours), case ignored. */
function distance(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + change,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The known word that is near enough to be meant, or null. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const d = distance(word.slice(0, 64), candidate.slice(0, 64));
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  if (best !== null || word.length < 3) return best;
  // A beginning that only one word has.
  const begun = known.filter((k) =>
    k.toLowerCase().startsWith(word.toLowerCase()),
  );
  return begun.length === 1 ? (begun[0] ?? null) : null;
}
