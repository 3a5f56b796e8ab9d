// One line a check, and the sum of them.

export function makeTally() {
  let passed = 0;
  let failed = 0;
  return {
    /** `problems`: what speaks against it; nothing means that it holds. */
    check(name, problems) {
      if (problems.length === 0) {
        passed += 1;
        console.log(`ok ${name}`);
      } else {
        failed += 1;
        console.log(`not ok ${name}: ${problems.join("; ").slice(0, 2000)}`);
      }
    },
    end() {
      console.log(`${passed} passed, ${failed} failed`);
      return failed === 0 ? 0 : 1;
    },
  };
}

const show = (value) =>
  value === undefined ? "nothing" : JSON.stringify(value);

/** A problem when the two differ. */
export const same = (what, seen, expected) =>
  show(seen) === show(expected)
    ? []
    : [`${what} is ${show(seen)}, expected ${show(expected)}`];
