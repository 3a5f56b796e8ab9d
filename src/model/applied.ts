// What `fenzi apply` put into one file that is also the user's. Kept in the state folder, so that it can be taken out again.
import type { JsonValue } from "./model.ts";

export interface Applied {
  /** Lower-case hex SHA-256 of the file without what is ours; null: there was no file. */
  readonly before: string | null;
  /** Of the file as it was written. */
  readonly after: string;
  /** What was put in, in order. `at` counts UTF-16 units in the text as it was written, without a byte order mark. */
  readonly pieces: readonly { readonly at: number; readonly text: string }[];
  /** Members of JSON, each with its value. */
  readonly members: readonly {
    readonly at: readonly string[];
    readonly value: JsonValue;
  }[];
  /** Strings in lists of JSON. */
  readonly items: readonly {
    readonly at: readonly string[];
    readonly item: string;
  }[];
  /** Objects and lists of JSON that were made for them. */
  readonly made: readonly (readonly string[])[];
  /** The folder that was made for the file; null when it was there. */
  readonly folder: string | null;
}
