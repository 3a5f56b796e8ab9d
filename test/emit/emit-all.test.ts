// Every agent of the registry holds all rules in its own file, so what happens for one that does not is shown with an
// emitter of the test's own.
import { describe, expect, test } from "vitest";
import { deliver } from "../../src/deliver/deliver.ts";
import { InternalError } from "../../src/diagnostics/diagnostic.ts";
import { emitFor, notEnforced } from "../../src/emit/emit-all.ts";
import type { Emission, Emitter } from "../../src/emit/emitter.ts";
import { makeDocuments, mergeDocuments } from "../support/merge-data.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type { EntryData } from "../support/random-layers.ts";

const emission: Emission = {
  files: [{ path: "servers.json", text: "{}\n" }],
  folders: [],
  launch: { argv: ["plain"], env: {}, needs: [], cwd: "/p" },
  diagnostics: [],
};

/** An agent that knows servers and no rules. */
const plain = (emit: Emitter["emit"] = () => emission): Emitter => ({
  target: "plain",
  version: "1",
  support: {
    url: "native",
    headers: "native",
    token: "native",
    command: "native",
    env: "native",
    cwd: "native",
    isolation: "enforced",
    "tools.allow": "enforced",
    "tools.ask": "unsupported",
    "tools.deny": "unsupported",
    "limits.call": "enforced",
    "limits.request": "enforced",
    "limits.response": "enforced",
    "limits.rate": "enforced",
    "paths.read": "enforced",
    "paths.write": "enforced",
    "hosts.allow": "enforced",
    "hosts.ports": "enforced",
    private: "enforced",
    "secrets.refuse": "enforced",
    "secrets.redact": "enforced",
  },
  filter: { allow: "exact", ask: "exact", deny: "exact", kept: null },
  reserved: [],
  reads: [],
  others: { sources: [], heedsEnabled: true, sameName: "replaces", off: [] },
  program: "plain",
  condition: null,
  emit,
  emitShared: () => ({ files: [], stillLoaded: [] }),
});

function emitted(
  entry: EntryData,
  options: { readonly allowUnenforced: boolean },
  emitter = plain(),
) {
  const model = mergeDocuments(
    makeDocuments([
      { layer: "project", data: { version: 1, mcp: { some: entry } } },
    ]),
  );
  if (model === null) throw new Error("not merged");
  const servers = deliver(model, emitter.filter, {
    project: "/work",
    home: () => "/p",
    own: () => "/o",
  });
  return emitFor(
    emitter,
    servers,
    { folder: "/out", project: "/p", repository: "/p" },
    [],
    options,
  );
}

const tools = { allow: ["a", "b"], ask: ["a"], deny: ["c"] };
const found = (entry: EntryData, allowUnenforced: boolean) =>
  notEnforced([emitted(entry, { allowUnenforced })]).map((d) => [
    d.severity,
    d.code,
    d.message,
  ]);

describe("a rule that nobody holds", () => {
  const of = (severity: string, who: string) => [
    [
      severity,
      "deliver/not-enforced",
      `plain has no form for \`tools.allow\`, \`tools.ask\`, \`tools.deny\` of \`some\`, and ${who} enforces them`,
    ],
  ];

  test("is an error for a local server", () => {
    expect(found({ command: ["npx"], tools }, false)).toEqual(
      of("error", "nothing else"),
    );
  });

  test("is a warning for a local server when that is asked for", () => {
    expect(found({ command: ["npx"], tools }, true)).toEqual(
      of("warning", "nothing else"),
    );
  });

  test("is a warning for a remote server, before which a gateway can stand", () => {
    const url = "https://some.example/mcp";
    expect(found({ url, tools }, false)).toEqual(
      of("warning", "without a gateway nothing"),
    );
  });

  test("is nothing to speak of when it is not in use", () => {
    expect(found({ command: ["npx"] }, false)).toEqual([]);
  });
});

describe("an emitter with a bug", () => {
  const wrong = (emit: Emitter["emit"]) => () =>
    emitted({ command: ["npx"] }, { allowUnenforced: false }, plain(emit));

  test("that throws is named", () => {
    const crash = wrong(() => {
      throw new TypeError("oh");
    });
    expect(crash).toThrow(InternalError);
    expect(crash).toThrow("emitter `plain` crashed");
  });

  test.each(["../x", "/x", "a/../b", "a//b", ".", "a\\b", ""])(
    "that wants to write `%s` is stopped",
    (path) => {
      expect(
        wrong(() => ({ ...emission, files: [{ path, text: "" }] })),
      ).toThrow(InternalError);
    },
  );
});

test("a reference to what the agent is started with is refused at its place: it would be another value", () => {
  const launch = { ...emission.launch, env: { HOME: "/out/home" } };
  const said = (entry: EntryData & Pick<ServerEntry, "headers" | "env">) =>
    emitted(
      entry,
      { allowUnenforced: true },
      plain(() => ({ ...emission, launch })),
    ).diagnostics.map(({ code, message }) => [
      code,
      /`\$\{\w+\}`/.exec(message)?.[0],
    ]);
  const home = ["deliver/reference-not-supported", "`${HOME}`"];
  expect(said({ url: "https://some.example/mcp" })).toEqual([]);
  expect(
    said({
      url: "https://some.example/mcp",
      headers: { A: "${HOME}", B: "${OTHER}" },
    }),
  ).toEqual([home]);
  expect(
    said({ command: ["npx", "${HOME}/x"], env: { HERE: "in ${HOME}" } }),
  ).toEqual([home, home]);
});
