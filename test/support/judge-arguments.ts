// A call with arguments, judged as a door and `explain` judge it: real files, the real merge, the real decision.
import { argumentsIn } from "../../src/enforce/arguments-in.ts";
import { loadProject } from "../../src/compile.ts";
import { pathFacts } from "../../src/host/path-facts.ts";
import {
  decide,
  preparePolicy,
  type Decision,
  type Policy,
} from "../../src/policy/decide.ts";
import { testHost, type TestHost, type TestHostOptions } from "./test-host.ts";

export interface Judge {
  readonly host: TestHost;
  readonly policy: Policy;
  judge(tool: string, args: Readonly<Record<string, unknown>>): Decision;
  /** "allow", or the rule that refuses. */
  rule(tool: string, args: Readonly<Record<string, unknown>>): string;
}

/** The rules of the first server in the files. */
export function judgeIn(options: TestHostOptions): Judge {
  const host = testHost(options);
  const { model, diagnostics } = loadProject(host);
  const server = model?.servers[0];
  if (model === null || server === undefined)
    throw new Error(JSON.stringify(diagnostics.map((d) => d.message)));
  const policy = preparePolicy(server, model);
  const facts = pathFacts(host);
  const judge: Judge["judge"] = (tool, args) => {
    const found = argumentsIn(policy, facts, JSON.stringify(args));
    if (found === null) throw new Error("no arguments");
    return decide(policy, { tool, arguments: found });
  };
  return {
    host,
    policy,
    judge,
    rule(tool, args) {
      const { effect, reasons } = judge(tool, args);
      return effect === "deny" ? reasons[0].rule : effect;
    },
  };
}
