// What is installed runs on the oldest Node we promise, is pinned, and comes from wherever npm is told to look.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, sourceFiles } from "./support/source-imports.ts";
import { satisfies } from "./support/version-range.ts";

const OLDEST_NODE = "20.19.0";

const read = (path: string) =>
  JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Record<string, unknown>;

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

/** The project itself, and what installs packages that only it needs. */
const FOLDERS = [
  "",
  "test/agents/",
  "test/bench/gateway/",
  "test/conformance/",
];
const LOCKS = FOLDERS.map((folder) => `${folder}package-lock.json`);

/** The packages of a lock file, by the folder they are installed into; the project itself is "". */
const locked = (path: string) =>
  Object.entries(read(path)["packages"] as Record<string, Locked>);

describe("dependencies", () => {
  test("run on the oldest Node that package.json promises", () => {
    expect(read("package.json")["engines"]).toEqual({ node: ">=20.19" });
    const refusing = locked("package-lock.json").flatMap(([folder, entry]) => {
      const range = entry.engines?.node;
      return range === undefined || satisfies(OLDEST_NODE, range)
        ? []
        : [`${folder || "fenzi"} ${entry.version ?? ""} wants Node ${range}`];
    });
    expect(refusing).toEqual([]);
  });

  test("are installed as the lock file says, with the same wish for Node", () => {
    const different = locked("package-lock.json").flatMap(([folder, entry]) => {
      if (folder === "") return [];
      let installed: Locked;
      try {
        installed = read(join(folder, "package.json")) as Locked;
      } catch {
        // Packages for other platforms are in the lock file only.
        return entry.optional === true ? [] : [`${folder} is not installed`];
      }
      return installed.version === entry.version &&
        installed.engines?.node === entry.engines?.node
        ? []
        : [`${folder} is ${installed.version ?? "?"}`];
    });
    expect(different).toEqual([]);
  });

  test.each(FOLDERS.map((folder) => `${folder}package.json`))(
    "are exact versions in %s",
    (path) => {
      const loose = ["dependencies", "devDependencies", "optionalDependencies"]
        .flatMap((key) =>
          Object.entries((read(path)[key] ?? {}) as Record<string, string>),
        )
        .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));
      expect(loose).toEqual([]);
    },
  );

  test.each(LOCKS)("are not tied to one registry in %s", (path) => {
    expect(
      locked(path)
        .filter(([, entry]) => entry.resolved !== undefined)
        .map(([folder]) => folder),
    ).toEqual([]);
  });

  test("of the program are all used", () => {
    const names = Object.keys(
      read("package.json")["dependencies"] as Record<string, string>,
    );
    const sources = sourceFiles("src", "emitters", "schemas").flatMap((file) =>
      file.imports.map(({ to }) => to),
    );
    const unused = names.filter(
      (name) => !sources.some((to) => to === name || to.startsWith(`${name}/`)),
    );
    expect(unused).toEqual([]);
  });
});

describe("satisfies", () => {
  test.each([
    ["20.19.0", ">=20", true],
    ["20.19.0", ">= 20.19.0", true],
    ["20.19.0", ">20.19.0", false],
    ["20.19.0", "^18.0.0 || ^20.0.0 || >=22.0.0", true],
    ["20.19.0", "^20.20.0 || >=22.12.0", false],
    ["20.19.0", ">=14.16 <20", false],
    ["20.19.0", "18 || 20 || >=22", true],
    ["20.19.0", "20.x", true],
    ["20.19.0", "~20.19", true],
    ["20.19.0", "*", true],
    ["20.19.0", "^12.20.0 || ^14.18.0 || >=16.0.0", true],
    ["20.19.0", "<=20.18", false],
    ["20.19.0", "18 - 20", true],
  ])("%s in %s: %s", (version, range, expected) => {
    expect(satisfies(version, range)).toBe(expected);
  });

  test("does not guess", () => {
    expect(() => satisfies("20.19.0", "latest")).toThrow("latest");
  });
});
