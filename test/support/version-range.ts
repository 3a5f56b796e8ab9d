// npm's version ranges, as far as packages use them to say which Node they want. What it cannot read is an error.

type Version = readonly [number, number, number];

/** Whether a version lies in a range such as `^20.9.0 || >=22`. */
export const satisfies = (version: string, range: string): boolean =>
  range
    .replace(/([\d.]+)\s+-\s+([\d.]+)/g, ">=$1 <=$2")
    .replace(/([<>=^~])\s+/g, "$1")
    .split("||")
    .some((part) =>
      part
        .trim()
        .split(/\s+/)
        .every((comparator) => holds(parse(version).version, comparator)),
    );

function holds(version: Version, comparator: string): boolean {
  const [, sign, text] = /^(\^|~|[<>]=?|=)?v?(.*)$/.exec(comparator) ?? [];
  const { version: low, high } = parse(text ?? "", sign);
  switch (sign) {
    case ">":
      // `>20` leaves out all of 20.
      return compare(version, high) >= 0;
    case ">=":
      return compare(version, low) >= 0;
    case "<":
      return compare(version, low) < 0;
    case "<=":
      return compare(version, high) < 0;
    default:
      return compare(version, low) >= 0 && compare(version, high) < 0;
  }
}

/** The first version that a text such as `20.x` means, and the first one beyond it. */
function parse(
  text: string,
  sign?: string,
): { readonly version: Version; readonly high: Version } {
  if (text === "" || text === "*" || text === "x")
    return { version: [0, 0, 0], high: [Infinity, 0, 0] };
  if (!/^\d+(?:\.(?:\d+|x|\*))*$/.test(text))
    throw new Error(`a range that is not understood: ${text}`);
  const given = text.split(".").filter((p) => p !== "x" && p !== "*");
  const [major = 0, minor = 0, patch = 0] = given.map(Number);
  const version: Version = [major, minor, patch];
  const next =
    sign === "^" ? 1 : sign === "~" ? Math.min(given.length, 2) : given.length;
  const high: Version =
    next <= 1
      ? [major + 1, 0, 0]
      : next === 2
        ? [major, minor + 1, 0]
        : [major, minor, patch + 1];
  return { version, high };
}

const compare = (a: Version, b: Version): number =>
  a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
