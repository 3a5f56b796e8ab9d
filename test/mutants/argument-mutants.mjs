// Small wrongs in rules about arguments: how they merge, and how a call's arguments are judged.
const MERGE = "src/merge/argument-rules.ts";
const RULES = "src/policy/argument-rules.ts";
const PRIVATE = "src/policy/private-list.ts";
const FOLLOW = "src/enforce/follow-path.ts";
const FORMS = "src/enforce/path-forms.ts";

export const argumentMutants = [
  {
    name: "paths: only the outermost layer counts",
    file: MERGE,
    find: "...layers.flatMap(pathLayer),",
    replace: "...layers.slice(0, 1).flatMap(pathLayer),",
  },
  {
    name: "paths: a local server without a line has every file",
    file: MERGE,
    find: "? [everywhereIn(defining)]",
    replace: "? []",
  },
  {
    name: "hosts: only the outermost layer counts",
    file: MERGE,
    find: "hosts: layers.flatMap(hostLayer),",
    replace: "hosts: layers.slice(0, 1).flatMap(hostLayer),",
  },
  {
    name: "limits.rate: only the innermost counts",
    file: MERGE,
    find: "rates: layers.flatMap(rate),",
    replace: "rates: layers.slice(-1).flatMap(rate),",
  },
  {
    name: "private: only the outermost file counts",
    file: MERGE,
    find: "private: [...lists, ...place.ignore]",
    replace: "private: [...lists.slice(0, 1), ...place.ignore]",
  },
  {
    name: "private: `.fenziignore` ignored",
    file: MERGE,
    find: "private: [...lists, ...place.ignore]",
    replace: "private: [...lists]",
  },
  {
    name: "tools.reads: taken from an inner layer",
    file: "src/merge/wider-arguments.ts",
    find: 'typeof tools !== "object" || tools.reads === undefined',
    replace: "Math.PI > 0 || typeof tools !== 'object' || tools === undefined",
  },
  {
    name: "paths: `read` is enough to write",
    file: RULES,
    find: "(reads && read.some(fits))",
    replace: "(reads || read.some(fits))",
  },
  {
    name: "paths: compared before links are followed",
    file: RULES,
    find: "for (const place of path.real) {",
    replace: "for (const place of path.written) {",
  },
  {
    name: "hosts: a port is not looked at",
    file: RULES,
    find: "port !== null &&",
    replace: "port === -7 &&",
  },
  {
    name: "limits.rate: never spent",
    file: RULES,
    find: "spent[i] === true",
    replace: "spent[i] === undefined",
  },
  {
    name: "an edit: only the new rules hold",
    file: RULES,
    find: "paths: [...start.paths, ...edited.paths],",
    replace: "paths: edited.paths,",
  },
  {
    name: "private: compared with case",
    file: PRIVATE,
    find: "? segmentsOf(path.toLowerCase())",
    replace: "? segmentsOf(path)",
  },
  {
    name: "private: a line takes back what is always private",
    file: PRIVATE,
    find: "if (built !== null) return {",
    replace: "if (built !== null && lists.length === 0) return {",
  },
  {
    name: "a path: links are not followed",
    file: FOLLOW,
    find: 'if (found !== "link") continue;',
    replace: "if (found !== null) continue;",
  },
  {
    name: "a path: `..` only taken away before links are followed",
    file: FOLLOW,
    find: "const walked = lead(path);",
    replace: "const walked = direct;",
  },
  {
    name: "a path: percent signs taken apart once",
    file: FORMS,
    find: "if (next === taken) break;",
    replace: "if (next === taken || i === 1) break;",
  },
];
