// What the road asks of the outside world to judge a call: whether a path is there and where it leads, and how much time
// has passed. Synchronous, so that a decision is taken on one state of things.

export interface Facts {
  /** What stands at an absolute path, no link followed at its end; null when it cannot be looked at. */
  look(path: string): "nothing" | "link" | "something" | null;
  /** Where an absolute path of something leads, all links followed; null when that cannot be said. */
  realpath(path: string): string | null;
  /** Names in a folder, the same array while it is used again; none when it cannot be listed. */
  list(folder: string): readonly string[];
  /** Milliseconds from any start; never goes back. */
  now(): number;
  /** True where paths have drives and backslashes. */
  readonly windows: boolean;
}
