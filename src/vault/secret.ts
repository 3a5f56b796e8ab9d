// A secret value that cannot be printed by accident: only `reveal()` gives it.
import { inspect } from "node:util";

const hidden = new WeakMap<Secret, string>();

/** Shows as `[secret NAME]` under toString, toJSON and util.inspect. */
export class Secret {
  readonly name: string;

  constructor(name: string, value: string) {
    this.name = name;
    hidden.set(this, value);
  }

  reveal(): string {
    return hidden.get(this) ?? "";
  }

  toString(): string {
    return `[secret ${this.name}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
