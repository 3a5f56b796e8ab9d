// Random configuration for laws: files of several layers whose rules overlap often, and calls that lie where they meet.
import * as fc from "fast-check";
import type { LayerName } from "../../src/model/model.ts";

/** One file as plain data; its JSON is its YAML. */
export interface FileData {
  readonly version: 1;
  readonly airGap?: boolean;
  readonly mcp: Readonly<Record<string, EntryData>>;
}

export interface EntryData {
  readonly url?: string;
  readonly command?: readonly string[];
  readonly enabled?: boolean;
  readonly tools?: ToolsData;
  readonly limits?: Readonly<Record<string, string>>;
}

export interface ToolsData {
  readonly allow?: "all" | readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export type Layered = readonly {
  readonly layer: LayerName;
  readonly data: FileData;
}[];

/** Few letters and few words, so that rules of two layers often mean the same tools. */
const WORDS = ["get", "list", "delete", "issue", "user", "Issue", "a.b", "x-y"];
const word = fc.constantFrom(...WORDS);
const plainName = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => words.join("_"));
/** Names outside the plain ones, some of which fold into a plain one. */
const oddName = fc.constantFrom(
  "get issue",
  "ＧＥＴ_issue",
  "get_\u200bissue",
  "löschen",
  "delete/issue",
  "ſet_issue",
);
export const pattern: fc.Arbitrary<string> = fc.oneof(
  word.map((w) => `${w}_*`),
  word.map((w) => `*_${w}`),
  word.map((w) => `*${w}*`),
  fc.tuple(word, word).map(([a, b]) => `${a}*${b}`),
);
export const rule: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: pattern },
  { weight: 4, arbitrary: plainName },
  { weight: 1, arbitrary: oddName },
);
const refusing = fc.oneof(
  { weight: 12, arbitrary: rule },
  { weight: 1, arbitrary: fc.constant("*") },
);

const allow = fc.oneof(
  { weight: 1, arbitrary: fc.constant("all" as const) },
  { weight: 6, arbitrary: fc.array(rule, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant([] as readonly string[]) },
);

export const toolsData: fc.Arbitrary<ToolsData> = fc.record(
  {
    allow,
    ask: fc.array(refusing, { maxLength: 2 }),
    deny: fc.array(refusing, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const enabled = fc.oneof(
  { weight: 8, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);
const narrowing: fc.Arbitrary<EntryData> = fc
  .record({ tools: toolsData, enabled }, { requiredKeys: ["tools"] })
  .map((entry) => entry);

/** What each layer defines: `outer` narrows in `root` and `project`, `middle` in `project`, `inner` nowhere. */
const remote = (host: string, tools: ToolsData): EntryData => ({
  url: `https://${host}.example/mcp`,
  tools,
});
const local = (tools: ToolsData): EntryData => ({
  command: ["npx", "server"],
  tools,
});
const defining = (host: string) =>
  fc.oneof(
    toolsData.map((tools) => remote(host, tools)),
    toolsData.map(local),
  );

const airGap = fc.oneof(
  { weight: 20, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const file = (mcp: fc.Arbitrary<FileData["mcp"]>): fc.Arbitrary<FileData> =>
  fc.record(
    { version: fc.constant(1 as const), airGap, mcp },
    { requiredKeys: ["version", "mcp"] },
  );

export const layered: fc.Arbitrary<Layered> = fc
  .record({
    machine: file(fc.record({ outer: defining("outer") })),
    root: file(
      fc.record(
        { outer: narrowing, middle: defining("middle") },
        { requiredKeys: ["middle"] },
      ),
    ),
    project: file(
      fc.record(
        { outer: narrowing, middle: narrowing, inner: defining("inner") },
        { requiredKeys: ["outer"] },
      ),
    ),
  })
  .map(({ machine, root, project }) => [
    { layer: "machine", data: machine },
    { layer: "root", data: root },
    { layer: "project", data: project },
  ]);

/** Every rule that stands in the files. */
export const rulesOf = (layers: Layered): readonly string[] => [
  ...new Set(
    layers.flatMap(({ data }) =>
      Object.values(data.mcp).flatMap(({ tools }) => [
        ...(tools?.allow === "all" ? [] : (tools?.allow ?? [])),
        ...(tools?.ask ?? []),
        ...(tools?.deny ?? []),
      ]),
    ),
  ),
];

/** Tool names that lie near the rules: their own words, patterns filled in, and any other name. */
export const callsFor = (layers: Layered): fc.Arbitrary<readonly string[]> => {
  const rules = rulesOf(layers);
  const filled = fc
    .tuple(fc.constantFrom(...(rules.length === 0 ? ["x"] : rules)), plainName)
    .map(([text, name]) => text.replaceAll("*", name).slice(0, 128));
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: filled },
      { weight: 3, arbitrary: plainName },
      { weight: 1, arbitrary: oddName },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
    ),
    { minLength: 4, maxLength: 8 },
  );
};

export const layersAndCalls: fc.Arbitrary<{
  readonly layers: Layered;
  readonly calls: readonly string[];
}> = layered.chain((layers) =>
  callsFor(layers).map((calls) => ({ layers, calls })),
);
