// Takes the place of `zod` in the program of `fenzi guard`: the same checks in the small form that zod has of them, and no
// descriptions, which only the published schemas need.
import * as z from "../node_modules/zod/mini/index.js";

const chained = (shape) =>
  Object.assign(shape, {
    optional: () => chained(z.optional(shape)),
    regex: (expression) => chained(shape.check(z.regex(expression))),
    describe: () => shape,
  });

export const array = (item) => chained(z.array(item));
export const boolean = () => chained(z.boolean());
export const literal = (value) => chained(z.literal(value));
export const number = () => chained(z.number());
export const record = (key, value) => chained(z.record(key, value));
export const strictObject = (shape) => chained(z.strictObject(shape));
export const string = () => chained(z.string());
export const union = (shapes) => chained(z.union(shapes));
export const unknown = () => chained(z.unknown());
