// Every agent of the registry holds all rules in its own file, so what happens for one that does not is shown with an
// emitter of the test's own.
import { describe, expect, test } from "vitest";
import { deliver } from "../../src/deliver/deliver.ts";
import { InternalError } from "../../src/diagnostics/diagnostic.ts";
import { emitFor } from "../../src/emit/emit-all.ts";
import type { Emission, Emitter } from "../../src/emit/emitter.ts";
import { makeDocuments, mergeDocuments } from "../support/merge-data.ts";
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
  emit,
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
  emitted(entry, { allowUnenforced }).diagnostics.map((d) => [
    d.severity,
    d.code,
    /`tools\.\w+`/.exec(d.message)?.[0],
  ]);

describe("a rule that nobody holds", () => {
  const of = (severity: string) =>
    ["`tools.allow`", "`tools.ask`", "`tools.deny`"].map((key) => [
      severity,
      "deliver/not-enforced",
      key,
    ]);

  test("is an error for a local server", () => {
    expect(found({ command: ["npx"], tools }, false)).toEqual(of("error"));
  });

  test("is a warning for a local server when that is asked for", () => {
    expect(found({ command: ["npx"], tools }, true)).toEqual(of("warning"));
  });

  test("is a warning for a remote server, whose sandbox holds it", () => {
    const url = "https://some.example/mcp";
    expect(found({ url, tools }, false)).toEqual(of("warning"));
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
