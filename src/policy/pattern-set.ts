// Many patterns matched at once, in one walk over the name: an automaton whose states are made when a name first needs
// them. So a decision costs the same for one pattern and for a hundred, and no pattern can make it slow.
import { globMatches } from "../match/tool-pattern.ts";

interface PatternSet<T> {
  /** The value of the first pattern, in the order given, that matches. */
  find(name: string): T | null;
}

interface State<T> {
  /** Places in the patterns that the characters so far can have led to, ascending. */
  readonly places: readonly number[];
  /** What the first pattern says that ends here, or null. */
  readonly value: T | null;
  readonly next: (State<T> | undefined)[];
}

/** Visible ASCII has a walk of its own; names with anything else are rare and compared one by one. */
const ASCII = 128;
/** States that are kept; beyond that they are made anew. */
const MAX_STATES = 500;

export function patternSet<T>(
  patterns: readonly { readonly pattern: string; readonly value: T }[],
): PatternSet<T> {
  if (patterns.length === 0) return { find: () => null };
  // All patterns in one text, each ended by a NUL, so that a place is one number. Patterns and names have no NUL here.
  const text = patterns.map((p) => `${p.pattern}\0`).join("");
  const valueAt = new Map<number, T>();
  const starts: number[] = [];
  let at = 0;
  for (const { pattern, value } of patterns) {
    starts.push(at);
    at += pattern.length + 1;
    valueAt.set(at - 1, value);
  }

  const states = new Map<string, State<T>>();
  const stateOf = (reached: readonly number[]): State<T> => {
    const all = new Set<number>();
    for (let place of reached) {
      all.add(place);
      // A star may stand for nothing.
      while (text[place] === "*") all.add(++place);
    }
    const places = [...all].sort((a, b) => a - b);
    const key = places.join();
    const known = states.get(key);
    if (known !== undefined) return known;
    const ended = places.find((place) => text[place] === "\0");
    const made: State<T> = {
      places,
      value: ended === undefined ? null : (valueAt.get(ended) ?? null),
      next: Array.from<undefined>({ length: ASCII }),
    };
    if (states.size >= MAX_STATES) {
      states.clear();
      first.next.fill(undefined);
    }
    states.set(key, made);
    return made;
  };
  const step = (state: State<T>, code: number): State<T> => {
    const char = String.fromCharCode(code);
    const reached: number[] = [];
    for (const place of state.places) {
      if (text[place] === "*") reached.push(place);
      else if (text[place] === char) reached.push(place + 1);
    }
    return (state.next[code] = stateOf(reached));
  };
  const first: State<T> = stateOf(starts);

  return {
    find(name) {
      let state = first;
      for (let i = 0; i < name.length; i++) {
        const code = name.charCodeAt(i);
        if (code >= ASCII || code === 0) return oneByOne(patterns, name);
        state = state.next[code] ?? step(state, code);
        if (state.places.length === 0) return null;
      }
      return state.value;
    },
  };
}

const oneByOne = <T>(
  patterns: readonly { readonly pattern: string; readonly value: T }[],
  name: string,
): T | null =>
  patterns.find((p) => globMatches(p.pattern, name))?.value ?? null;
