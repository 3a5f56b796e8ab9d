// Hostile and odd configuration, in the words of fenzi.yaml. `id` names the case of the shared collection that it
// answers; a case that this design makes moot has a reason instead of a text.

export interface ConfigCase {
  readonly id: string;
  readonly why: string;
  readonly machine?: string;
  readonly project?: string;
  /** The code that must be reported, or "loaded". */
  readonly expect?: string;
  /** Calls of server `demo`, with the effect they must have. */
  readonly calls?: Readonly<Record<string, "allow" | "ask" | "deny">>;
  readonly moot?: string;
}

const V = "version: 1\n";
const server = (entry: string) => `${V}mcp:\n  demo: {${entry}}\n`;
const url = (text: string) =>
  server(`url: ${JSON.stringify(text)}, tools: {allow: [read_file]}`);
const named = (name: string) =>
  `${V}mcp:\n  ${JSON.stringify(name)}: {url: "https://s.example/mcp", tools: all}\n`;
const MACHINE = `${V}mcp:\n  demo:\n    url: https://s.example/mcp\n    token: true\n    tools: {allow: [read_file, "search_*"], deny: [search_admin]}\n`;
const project = (entry: string) => `${V}mcp: {demo: {${entry}}}\n`;

export const CONFIG_CASES: readonly ConfigCase[] = [
  {
    id: "config-yaml-01",
    why: "a rule list stands twice",
    project: `${V}mcp:\n  demo:\n    url: https://s.example/mcp\n    tools:\n      allow: [read_file]\n      allow: [x]\n`,
    expect: "source/duplicate-key",
  },
  {
    id: "config-yaml-02",
    why: "a server stands twice",
    project: `${V}mcp:\n  demo: {url: "https://a.example/mcp", tools: {allow: [a]}}\n  demo: {url: "https://b.example/mcp", tools: all}\n`,
    expect: "source/duplicate-key",
  },
  {
    id: "config-yaml-03",
    why: "a server stands twice, once escaped",
    project: `${V}mcp:\n  demo: {url: "https://a.example/mcp"}\n  "d\\u0065mo": {url: "https://b.example/mcp"}\n`,
    expect: "source/duplicate-key",
  },
  {
    id: "config-yaml-05",
    why: "a merge key",
    project: `${V}mcp:\n  demo:\n    <<: {tools: all}\n    url: https://s.example/mcp\n`,
    expect: "source/reserved-key",
  },
  {
    id: "config-yaml-06",
    why: "an alias inside itself",
    project: "a: &a {b: *a}\n",
    expect: "source/alias",
  },
  {
    id: "config-yaml-09",
    why: "tag !!binary",
    project: `${V}mcp:\n  demo:\n    url: !!binary aGk=\n`,
    expect: "source/tag",
  },
  {
    id: "config-yaml-11",
    why: "tag !env",
    project: `${V}mcp:\n  demo:\n    url: !env TOKEN\n`,
    expect: "source/tag",
  },
  {
    id: "config-yaml-12",
    why: "tag !!set",
    project: `${V}mcp:\n  demo:\n    tools: !!set {a}\n`,
    expect: "source/tag",
  },
  {
    id: "config-yaml-14",
    why: "`no` is text",
    project: `${V}mcp:\n  no: {url: "https://s.example/mcp", tools: {allow: [read_file]}}\n`,
    expect: "loaded",
  },
  {
    id: "config-yaml-15",
    why: "keys that are numbers or null",
    project: `${V}mcp:\n  1.10: {url: "https://s.example/mcp"}\n  null: {url: "https://t.example/mcp"}\n`,
    expect: "source/key-not-text",
  },
  {
    id: "config-yaml-16",
    why: "tool names that are numbers or null",
    project: server('url: "https://s.example/mcp", tools: {allow: [no, 1.10]}'),
    expect: "schema/wrong-type",
  },
  {
    id: "config-yaml-17",
    why: "two documents",
    project: `${V}mcp: {}\n---\nmcp: {evil: {url: "https://evil.example/"}}\n`,
    expect: "source/several-documents",
  },
  {
    id: "config-yaml-19",
    why: "a YAML 1.1 directive",
    project: `%YAML 1.1\n---\n${V}`,
    expect: "source/directive",
  },
  {
    id: "config-proto-01",
    why: "server __proto__",
    project: `${V}mcp:\n  __proto__: {url: "https://evil.example/mcp", tools: all}\n`,
    expect: "source/reserved-key",
  },
  {
    id: "config-proto-02",
    why: "constructor.prototype",
    project: `constructor: {prototype: {all: true}}\n${V}`,
    expect: "schema/unknown-key",
  },
  {
    id: "config-proto-03",
    why: "__proto__ deeper down",
    project: `${V}defaults:\n  __proto__: {allow: [x]}\n`,
    expect: "source/reserved-key",
  },
  {
    id: "config-name-02",
    why: "slash",
    project: named("a/b"),
    expect: "server/name",
  },
  {
    id: "config-name-03",
    why: "backslash",
    project: named("a\\b"),
    expect: "server/name",
  },
  {
    id: "config-name-05",
    why: "dots",
    project: named(".."),
    expect: "server/name",
  },
  {
    id: "config-name-06",
    why: "empty",
    project: named(""),
    expect: "server/name",
  },
  {
    id: "config-name-08",
    why: "percent form",
    project: named("a%2fb"),
    expect: "server/name",
  },
  {
    id: "config-name-09",
    why: "NUL",
    project: `${V}mcp:\n  "a\\0b": {url: "https://s.example/mcp"}\n`,
    expect: "server/name",
  },
  {
    id: "config-name-10",
    why: "blank and brackets",
    project: named("A (and a)"),
    expect: "server/name",
  },
  {
    id: "config-name-11",
    why: "letter outside ASCII",
    project: named("démo"),
    expect: "server/name",
  },
  {
    id: "config-name-12",
    why: "very long",
    project: named("x".repeat(300)),
    expect: "server/name",
  },
  {
    id: "config-name-14",
    why: "looks like a flag",
    project: named("-rf"),
    expect: "server/name",
  },
  {
    id: "config-name-15",
    why: "ends with a dot",
    project: named("demo."),
    expect: "server/name",
  },
  {
    id: "config-url-01",
    why: "user information",
    project: url("https://user:pass@s.example/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-04",
    why: "looks like localhost",
    project: url("http://localhost.evil.example/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-06",
    why: "trailing dot",
    project: url("https://s.example./mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-09",
    why: "decimal address",
    project: url("https://2130706433/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-10",
    why: "hexadecimal address",
    project: url("https://0x7f.1/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-11",
    why: "mapped link-local address",
    project: url("https://[::ffff:169.254.169.254]/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-12",
    why: "metadata address",
    project: url("https://169.254.169.254/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-13",
    why: "zone id",
    project: url("https://[fe80::1%25eth0]/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-14",
    why: "IPv6 loopback",
    project: url("http://[::1]:8080/mcp"),
    expect: "loaded",
  },
  {
    id: "config-url-16",
    why: "port 0",
    project: url("https://s.example:0/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-17",
    why: "port 99999",
    project: url("https://s.example:99999/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-19",
    why: "a reference in the query",
    project: url("https://s.example/mcp?token=${TOKEN}"),
    expect: "server/url-reference",
  },
  {
    id: "config-url-21",
    why: "a tab",
    project: url("https://s.example/\tmcp"),
    expect: "server/url",
  },
  {
    id: "config-url-22",
    why: "backslashes",
    project: url("https:\\\\s.example\\mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-24",
    why: "file:",
    project: url("file:///etc/passwd"),
    expect: "server/url",
  },
  {
    id: "config-url-26",
    why: "ws:",
    project: url("ws://s.example"),
    expect: "server/url",
  },
  {
    id: "config-url-27",
    why: "no scheme",
    project: url("s.example/mcp"),
    expect: "server/url",
  },
  {
    id: "config-url-28",
    why: "dot segments",
    project: url("https://s.example/a/../mcp"),
    expect: "server/url",
  },
  {
    id: "config-policy-01",
    why: "no list: nothing allowed",
    project: server('url: "https://s.example/mcp"'),
    expect: "loaded",
    calls: { read_file: "deny" },
  },
  {
    id: "config-policy-02",
    why: "empty list: nothing allowed",
    project: server('url: "https://s.example/mcp", tools: {allow: []}'),
    expect: "loaded",
    calls: { read_file: "deny" },
  },
  {
    id: "config-policy-03",
    why: "a list that is null",
    project: `${V}mcp:\n  demo:\n    url: https://s.example/mcp\n    tools:\n      allow:\n`,
    expect: "source/null",
  },
  {
    id: "config-policy-05",
    why: "a lone star",
    project: server('url: "https://s.example/mcp", tools: {allow: ["*"]}'),
    expect: "tools/lone-star",
  },
  {
    id: "config-policy-06",
    why: "text for everything but `all`",
    project: server('url: "https://s.example/mcp", tools: "false"'),
    expect: "schema/wrong-type",
  },
  {
    id: "config-policy-07",
    why: "a number for `all`",
    project: server('url: "https://s.example/mcp", tools: 1'),
    expect: "schema/wrong-type",
  },
  {
    id: "config-policy-08",
    why: "misspelt keys",
    project: server(
      'url: "https://s.example/mcp", tools: {alow: [x], Deny: [y]}',
    ),
    expect: "schema/unknown-key",
  },
  {
    id: "config-policy-09",
    why: "deny is null",
    project: `${V}mcp:\n  demo:\n    url: https://s.example/mcp\n    tools: {allow: all, deny: }\n`,
    expect: "source/null",
  },
  {
    id: "config-policy-10",
    why: "url and command",
    project: server('url: "https://s.example/mcp", command: [x]'),
    expect: "server/two-transports",
  },
  {
    id: "config-policy-11",
    why: "a time that is not a number",
    project: server('url: "https://s.example/mcp", timeout: .nan'),
    expect: "schema/unknown-key",
  },
  {
    id: "config-policy-13",
    why: "listen on every address",
    project: `${V}listen: 0.0.0.0:8080\n`,
    expect: "schema/unknown-key",
  },
  {
    id: "config-policy-14",
    why: "line break in a header",
    project: server(
      'url: "https://s.example/mcp", headers: {X-A: "a\\r\\nX-Evil: 1"}',
    ),
    expect: "server/header-value",
  },
  {
    id: "config-policy-15",
    why: "a header that frames the request",
    project: server(
      'url: "https://s.example/mcp", headers: {Transfer-Encoding: chunked}',
    ),
    expect: "server/header-name",
  },
  {
    id: "config-policy-16",
    why: "the machine file may be written by all: set up in the test",
    expect: "read/others-may-write",
  },
  {
    id: "config-merge-01",
    why: "another url",
    machine: MACHINE,
    project: project('url: "https://evil.example/mcp"'),
    expect: "merge/identity",
  },
  {
    id: "config-merge-02",
    why: "another path",
    machine: MACHINE,
    project: project('url: "https://s.example/admin"'),
    expect: "merge/identity",
  },
  {
    id: "config-merge-04",
    why: "other arguments",
    machine: `${V}mcp: {demo: {command: [/usr/bin/srv, --read-only], tools: {allow: [read_file]}}}\n`,
    project: project('command: [/usr/bin/srv, --allow-write, "/"]'),
    expect: "merge/identity",
  },
  {
    id: "config-merge-07",
    why: "one more header",
    machine: MACHINE,
    project: project('headers: {X-Leak: "${AWS_SECRET_ACCESS_KEY}"}'),
    expect: "merge/identity",
  },
  {
    id: "config-merge-08",
    why: "a wider list",
    machine: MACHINE,
    project: project("tools: {allow: [read_file, delete_all]}"),
    expect: "loaded",
    calls: { read_file: "allow", delete_all: "deny", search_x: "deny" },
  },
  {
    id: "config-merge-11",
    why: "a wider list by case",
    machine: MACHINE,
    project: project("tools: {allow: [READ_FILE]}"),
    expect: "loaded",
    calls: { read_file: "deny", READ_FILE: "deny" },
  },
  {
    id: "config-merge-12",
    why: "all",
    machine: MACHINE,
    project: project("tools: all"),
    expect: "loaded",
    calls: { read_file: "allow", delete_all: "deny", search_admin: "deny" },
  },
  {
    id: "config-merge-16",
    why: "negation",
    machine: MACHINE,
    project: project('tools: {allow: ["!x", "search_*"]}'),
    expect: "tools/rule",
  },
  {
    id: "config-merge-18",
    why: "the same host in another spelling",
    machine: MACHINE,
    project: `${V}mcp: {demo2: {url: "https://S.EXAMPLE:443/mcp"}}\n`,
    expect: "merge/host-taken",
  },
  {
    id: "config-merge-20",
    why: "switched off",
    machine: MACHINE,
    project: project("enabled: false"),
    expect: "loaded",
    calls: { read_file: "deny" },
  },
  {
    id: "config-merge-21",
    why: "switched on again",
    machine: MACHINE.replace("token: true", "token: true\n    enabled: false"),
    project: project("enabled: true"),
    expect: "loaded",
    calls: { read_file: "deny" },
  },
  {
    id: "config-merge-23",
    why: "a negative time",
    machine: MACHINE,
    project: project("timeout: -1"),
    expect: "schema/unknown-key",
  },
  {
    id: "config-merge-24",
    why: "switches guards off",
    machine: MACHINE,
    project: project("redact: false"),
    expect: "schema/unknown-key",
  },
  {
    id: "config-merge-25",
    why: "pins from the repository",
    moot: "pins do not exist in this version; nothing below the project but fenzi.yaml is read",
  },
  {
    id: "config-merge-26",
    why: "switches features on",
    machine: MACHINE,
    project: project("methods: {sampling: true}"),
    expect: "schema/unknown-key",
  },
  {
    id: "config-merge-27",
    why: "the file is a link to a device: set up in the test",
    expect: "read/link-leaves-folder",
  },
  {
    id: "config-merge-28",
    why: "a file above the repository: set up in the test",
    expect: "loaded",
  },
  {
    id: "config-merge-30",
    why: "agents' own files beside it: set up in the test",
    expect: "loaded",
  },
  {
    id: "config-merge-32",
    why: "__proto__ in a project written as JSON",
    machine: MACHINE,
    project: '{"__proto__":{"tools":"all"},"version":1,"mcp":{}}',
    expect: "source/reserved-key",
  },
  {
    id: "config-merge-33",
    why: "an anchor of another file",
    machine: MACHINE.replace("tools: {", "tools: &t {"),
    project: project("tools: *t"),
    expect: "source/alias",
  },
  {
    id: "config-merge-34",
    why: "a list for the servers",
    machine: MACHINE,
    project: `${V}mcp: []\n`,
    expect: "schema/wrong-type",
  },
];
