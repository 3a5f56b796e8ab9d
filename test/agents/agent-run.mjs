// One run of an agent by a launch line of Fenzi's: nothing is added but what points it at the scripted model.
import { start } from "./start.mjs";

export const PROMPT = "call the tools";
export const MODEL_KEY = "model-key";

/** Flags that would make a check worthless. */
const LOOSENING =
  /^--(?:always-approve|dangerously|yolo|trust|full-auto|allow|permission)|bypassPermissions|danger-full-access/;

export const loosening = (launch) =>
  wordsOf(launch)
    .filter((word) => LOOSENING.test(word))
    .map((word) => `it has \`${word}\``);

/** All that a launch line says. */
export const wordsOf = ({ argv, env }) => [
  ...argv,
  ...Object.entries(env).map((e) => e.join("=")),
];

/** `values`: of the variables that the launch line needs; a model's key is whatever has none. */
export function runAgent({ adapter, model, world, launch, script, values }) {
  model.play([...script, { text: "FINISHED" }]);
  const { args, env } = adapter.drive(model.url, PROMPT);
  const needed = launch.needs.map((n) => [n, values[n] ?? MODEL_KEY]);
  return start({
    argv: [...launch.argv, ...args],
    cwd: launch.cwd,
    env: {
      ...world.env,
      ...launch.env,
      ...Object.fromEntries(needed),
      ...env,
    },
  });
}
