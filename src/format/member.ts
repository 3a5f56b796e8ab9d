// Looking into a value whose shape nobody promised.
import type { Json, JsonValue } from "../model/model.ts";

/** What lies under the keys, or undefined. */
export const memberAt = (
  value: JsonValue | undefined,
  ...keys: readonly string[]
): JsonValue | undefined =>
  keys.reduce<JsonValue | undefined>(
    (at, key) =>
      at !== null &&
      typeof at === "object" &&
      !Array.isArray(at) &&
      Object.hasOwn(at, key)
        ? (at as Json)[key]
        : undefined,
    value,
  );
