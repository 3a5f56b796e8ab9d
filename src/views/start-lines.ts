// How a person starts an agent: a line for a shell, and the variables that it still needs. Never broken, so that it can
// be copied.
import type { Launch } from "../model/delivered.ts";
import { shellLine, shellWord } from "./shell-words.ts";

export const startLines = (launch: Launch): readonly string[] => [
  `  ${launchLine(launch)}`,
  ...(launch.needs.length === 0 ? [] : [`  needs ${launch.needs.join(", ")}`]),
];

/** One line for a shell: see `shellWord`. */
const launchLine = (launch: Launch): string =>
  [
    `cd ${shellWord(launch.cwd)} &&`,
    ...Object.entries(launch.env).map(
      ([name, value]) => `${name}=${shellWord(value)}`,
    ),
    shellLine(launch.argv),
  ].join(" ");
