// Argument rules of an inner layer that ask for more than an outer one gives: they stay refused, and it is said.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { hostMatches, hostRule } from "../match/named-hosts.ts";
import { isAbsolute, pathGlobCovers, segmentsOf } from "../match/path-glob.ts";
import { parseRate, printRate } from "../match/rate.ts";
import type { HostLayer, PathLayer, Sourced } from "../model/model.ts";
import { argumentRules } from "./argument-rules.ts";
import type { LayerEntry } from "./layer.ts";

export function widerArguments(
  inner: LayerEntry,
  outers: readonly LayerEntry[],
): readonly Diagnostic[] {
  const [defining, ...rest] = outers;
  if (defining === undefined) return [];
  const outer = argumentRules(defining, rest);
  const own = argumentRules(inner, []);
  return [
    ...readsElsewhere(inner, defining),
    ...own.paths
      .filter((layer) => layer.written)
      .flatMap((layer) => widerPaths(layer, outer.paths)),
    ...own.hosts.flatMap((layer) => widerHosts(layer, outer.hosts)),
    ...fasterRate(inner, outers),
  ];
}

/** Which tools only read, the layer says that says what the server is. */
function readsElsewhere(
  inner: LayerEntry,
  defining: LayerEntry,
): readonly Diagnostic[] {
  const { tools } = inner.entry;
  return typeof tools !== "object" || tools.reads === undefined
    ? []
    : [
        report(
          "merge/reads-elsewhere",
          { layer: defining.layer },
          {
            at: inner.at("key", "tools", "reads").at,
            notes: [
              { message: "the server is defined here", at: defining.origin.at },
            ],
          },
        ),
      ];
}

interface Refused {
  readonly key: string;
  readonly rule: Sourced<string | number>;
  readonly outer: PathLayer | HostLayer;
  readonly allowed: readonly Sourced<string | number>[];
}

const notGiven = ({ key, rule, outer, allowed }: Refused): Diagnostic => {
  const listed = allowed.slice(0, 8).map(({ value }) => `\`${value}\``);
  return report(
    "merge/argument-not-allowed",
    { key, rule: String(rule.value), layer: outer.layer },
    {
      at: rule.origin.at,
      notes: [
        {
          message:
            "written" in outer && !outer.written
              ? "without `paths` there it is the server's own folder"
              : listed.length === 0
                ? "nothing is allowed here"
                : `allowed here: ${listed.join(", ")}${allowed.length > 8 ? ", …" : ""}`,
          at: outer.origin.at,
        },
      ],
    },
  );
};

const absolute = (layer: PathLayer, glob: string): readonly string[] =>
  isAbsolute(glob) || glob.startsWith("~")
    ? segmentsOf(glob)
    : [...segmentsOf(layer.folder.replaceAll("\\", "/")), ...segmentsOf(glob)];

const widerPaths = (
  inner: PathLayer,
  outers: readonly PathLayer[],
): readonly Diagnostic[] =>
  (["read", "write"] as const).flatMap((key) =>
    inner[key].flatMap((rule) => {
      const outer = outers.find(
        (o) =>
          !allowedBy(o, key).some((glob) =>
            pathGlobCovers(
              absolute(o, glob.value),
              absolute(inner, rule.value),
            ),
          ),
      );
      return outer === undefined
        ? []
        : [
            notGiven({
              key: `paths.${key}`,
              rule,
              outer,
              allowed: allowedBy(outer, key),
            }),
          ];
    }),
  );

/** `write` implies `read`. */
const allowedBy = (
  layer: PathLayer,
  key: "read" | "write",
): readonly Sourced<string>[] =>
  key === "write" ? layer.write : [...layer.read, ...layer.write];

function widerHosts(
  inner: HostLayer,
  outers: readonly HostLayer[],
): readonly Diagnostic[] {
  const check = <T extends string | number>(
    key: "allow" | "ports",
    rules: readonly Sourced<T>[] | null,
    covers: (outer: T, inner: T) => boolean,
  ) =>
    (rules ?? []).flatMap((rule) => {
      for (const outer of outers) {
        const allowed = outer[key] as readonly Sourced<T>[] | null;
        if (allowed?.some((a) => covers(a.value, rule.value)) !== false)
          continue;
        return [notGiven({ key: `hosts.${key}`, rule, outer, allowed })];
      }
      return [];
    });
  return [
    ...check(
      "allow",
      inner.allow,
      (a, b) => a === b || hostMatches(hostRule(a), hostRule(b)),
    ),
    ...check("ports", inner.ports, (a, b) => a === b),
  ];
}

/** In words of the key: each rate holds, so a faster one has no effect. */
function fasterRate(
  inner: LayerEntry,
  outers: readonly LayerEntry[],
): readonly Diagnostic[] {
  const wanted = parseRate(inner.entry.limits?.rate ?? "");
  if (wanted === null) return [];
  for (const outer of outers) {
    const held = parseRate(outer.entry.limits?.rate ?? "");
    if (
      held === null ||
      wanted.calls / wanted.window <= held.calls / held.window
    )
      continue;
    return [
      report(
        "merge/limit-not-raised",
        {
          key: "limits.rate",
          wanted: printRate(wanted),
          held: printRate(held),
        },
        {
          at: inner.at("value", "limits", "rate").at,
          notes: [
            { message: "set here", at: outer.at("value", "limits", "rate").at },
          ],
        },
      ),
    ];
  }
  return [];
}
