// The list of what may differ with the gateway or the guard between (`expected.yaml`), and whether a scenario keeps to it.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const FAILING = new Set(["FAILURE", "WARNING"]);
/** Whatever is refused, what is said must be valid in the protocol. */
const NEVER_EXCUSED = "wire-schema-valid";

/**
 * @param {"server" | "client"} side
 * @param {"gateway" | "guard"} door   what stands between
 */
export function readExpected(side, door) {
  const groups = parse(
    readFileSync(new URL("expected.yaml", import.meta.url), "utf8"),
  )[side].filter(({ only = door }) => only === door);
  const entries = groups.flatMap(({ failing = [], skipped = [] }) => [
    ...failing.map((entry) => ({ entry, skipped: false })),
    ...skipped.map((entry) => ({ entry, skipped: true })),
  ]);
  const left = new Set(entries.map(({ entry }) => entry));

  return {
    /** For the suite itself, which excuses failures only. */
    suiteFile: () =>
      JSON.stringify({
        [side]: entries.filter((e) => !e.skipped).map((e) => e.entry),
      }),

    /** What speaks against it: `without` and `through` are the checks of one scenario. */
    problemsOf(scenario, without, through) {
      const own = entries.filter(
        ({ entry }) => entry.split(":")[0] === scenario,
      );
      for (const { entry } of own) left.delete(entry);
      const whole = own.some(({ entry }) => entry === scenario);
      const differing = differences(without, through);
      const problems = own
        .filter(({ entry, skipped }) => !holds(entry, skipped, through))
        .map(
          ({ entry, skipped }) =>
            `\`${entry}\` is listed, but is not ${skipped ? "skipped" : "failing"}`,
        );
      for (const { id, name, before, after, words } of differing) {
        const listed =
          (whole && id !== NEVER_EXCUSED) ||
          own.some(({ entry }) => [id, name].includes(entry.split(":")[1]));
        if (!listed)
          problems.push(
            `${id} is ${after} instead of ${before}${words ? ` (${words})` : ""}`,
          );
      }
      return problems;
    },

    /** Entries whose scenario no revision has. */
    unused: () => [...left],
  };
}

function holds(entry, skipped, through) {
  const check = entry.split(":")[1];
  const named = through.filter(
    ({ id, name }) => check === undefined || check === id || check === name,
  );
  return named.some(({ status }) =>
    skipped ? status === "SKIPPED" : FAILING.has(status),
  );
}

/** Checks that are there once under a name and an id, or several times: compared as a whole. Notes are left out. */
function differences(without, through) {
  const key = ({ id, name }) => `${id} ${name}`;
  const statuses = (checks, of) =>
    checks
      .filter((check) => key(check) === of && check.status !== "INFO")
      .map(({ status }) => status)
      .sort()
      .join(" and ") || "absent";
  const all = new Map(
    [...without, ...through].map((check) => [key(check), check]),
  );
  return [...all].flatMap(([of, { id, name }]) => {
    const [before, after] = [statuses(without, of), statuses(through, of)];
    const words = through.find((c) => key(c) === of && c.errorMessage);
    return before === after
      ? []
      : [{ id, name, before, after, words: words?.errorMessage }];
  });
}
