// What is under way, so that it can be ended and looked through. A linked list and no `Set`: V8 chains the tables of a
// set that changes all the time, and everything that was ever in it stays in memory until a full collection.

export interface Entry {
  /** Breaks it off and answers the client. */
  end(): void;
  prev: Entry | null;
  next: Entry | null;
}

export interface UnderWay<T extends Entry> {
  add(entry: T): void;
  /** Once for each that was added. */
  remove(entry: T): void;
  isEmpty(): boolean;
  /** Whether one that is there is wanted. */
  some(isWanted: (entry: T) => boolean): boolean;
  /** Each that is there; the one that is being looked at may be removed meanwhile. */
  forEach(look: (entry: T) => void): void;
}

export function underWay<T extends Entry>(): UnderWay<T> {
  let first: T | null = null;
  return {
    add(entry) {
      entry.next = first;
      if (first !== null) first.prev = entry;
      first = entry;
    },
    remove(entry) {
      if (entry.prev !== null) entry.prev.next = entry.next;
      else if (first === entry) first = entry.next as T | null;
      if (entry.next !== null) entry.next.prev = entry.prev;
      entry.prev = entry.next = null;
    },
    isEmpty: () => first === null,
    some(isWanted) {
      for (let entry = first; entry !== null; entry = entry.next as T | null)
        if (isWanted(entry)) return true;
      return false;
    },
    forEach(look) {
      for (let entry = first; entry !== null;) {
        const next: T | null = entry.next as T | null;
        look(entry);
        entry = next;
      }
    },
  };
}
