// Public bug reports of other tools, each as a small input that must come out right here. `MOOT` says why a report cannot
// concern this design, or which issue brings the part that it concerns.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emitters } from "../../emitters/index.ts";
import { compile, loadProject } from "../../src/compile.ts";
import { importConfigs } from "../../src/import/import-configs.ts";
import {
  decide,
  NO_COMMON_RULES,
  preparePolicy,
} from "../../src/policy/decide.ts";
import { testHost } from "../support/test-host.ts";

const AREAS = [
  "parsing",
  "names",
  "env-expansion",
  "emit",
  "scope",
  "permissions",
  "toml",
  "secrets",
  "unicode",
  "args",
  "windows",
];

const MOOT: Readonly<Record<string, string>> = {
  b011: "OpenCode's files are not read yet",
  b057: "compiled files are whole files of ours; files that are also the user's are not written",
  b058: "as b057; fenzi.yaml itself is edited under a lock (test/commands)",
  b062: "`~/.mcp.json` is neither read nor written; it is read only when it is named to `mcp import`",
  b064: "`mcp add` prints the file it wrote, and the machine's servers have a file of their own (`--machine`)",
  b172: "local servers are started by the agents, not by us",
  b174: "every entry lists what it gets; nothing is inherited by an entry",
  b177: "local servers are started by the agents, not by us; what an entry's `env` says is written into the agent's file",
};

const json = (value: unknown) => JSON.stringify(value);
const bring = (text: string) => importConfigs([{ file: "x.json", text }], []);
const bringServers = (servers: unknown) => bring(json({ mcpServers: servers }));
const entryOf = (servers: Readonly<Record<string, unknown>>) =>
  bringServers(servers).entries[0]?.entry;

/** The files of every agent, by `agent/path`, for one fenzi.yaml. */
function compiled(yaml: string) {
  const host = testHost({ project: { "fenzi.yaml": `version: 1\n${yaml}` } });
  const { model, diagnostics } = loadProject(host);
  if (model === null) throw new Error(json(diagnostics));
  const { agents, diagnostics: found } = compile(host, model, {
    emitters,
    out: null,
    at: "/c",
    workdir: "/p",
    allowUnenforced: false,
  });
  const files = new Map<string, string>(
    agents.flatMap((a) =>
      a.emission.files.map((f) => [`${a.agent}/${f.path}`, f.text] as const),
    ),
  );
  return {
    file: (name: string) => files.get(name) ?? "",
    needs: agents.map((a) => a.emission.launch.needs),
    codes: found.map((d) => d.code),
  };
}

describe("parsing", () => {
  test("b035 b036 b039: comments, commented-out servers and trailing commas are read, and said", () => {
    const found = bring(
      '{ // note\n "mcpServers":{"p":{"command":"npx",},/* "q":{"command":"x"}, */} }',
    );
    expect(found.entries.map((e) => e.name)).toEqual(["p"]);
    expect(found.diagnostics.map((d) => d.code)).toContain(
      "import/not-strict-json",
    );
  });
  test("b037: an entry without a transport that is read does not hide the others", () => {
    const found = bringServers({
      a: { command: "x" },
      b: { type: "sse", url: "https://e.example/sse" },
      c: 5,
    });
    expect([found.entries.map((e) => e.name), found.dropped]).toEqual([
      ["a"],
      [
        { name: "b", reason: "sse" },
        { name: "c", reason: "not-an-entry" },
      ],
    ]);
  });
  test("b040 b041: a byte order mark is read", () => {
    expect(
      bring(`\uFEFF${json({ mcpServers: { a: { command: "x" } } })}`).entries,
    ).toHaveLength(1);
  });
  test("b044: what does not parse has a place and shows no value", () => {
    const found = bring(
      '{"mcpServers":{"a":{"command":"x","env":{"K":"ghp_0123456789abcdefghijABCDEFGHIJ01"',
    );
    expect(found.entries).toEqual([]);
    expect(
      found.diagnostics.map((d) => [d.severity, d.at?.start.line]),
    ).toEqual([["error", 1]]);
    expect(json(found)).not.toContain("ghp_");
  });
  test("b046 b047 b049: every spelling of a transport is read, approval is no list", () => {
    for (const type of ["http", "streamable-http", "streamableHttp"])
      expect(
        entryOf({
          a: {
            type,
            url: "https://e.example/mcp",
            alwaysAllow: ["t"],
            disabled: false,
          },
        }),
      ).toEqual({ url: "https://e.example/mcp", tools: "all" });
    expect(
      entryOf({ a: { serverUrl: "http://localhost:1/mcp" } }),
    ).toMatchObject({ url: "http://localhost:1/mcp" });
    expect(entryOf({ a: { httpUrl: "https://e.example/mcp" } })).toMatchObject({
      url: "https://e.example/mcp",
    });
  });
  test("b050: an empty command is absent, and an unknown key for the URL is named", () => {
    const found = bringServers({
      n: {
        type: "streamableHttp",
        baseUrl: "https://e.example/mcp",
        command: "",
        isActive: true,
      },
    });
    expect(found.dropped).toEqual([{ name: "n", reason: "no-transport" }]);
    expect(found.diagnostics[0]?.message).toContain("baseUrl");
  });
  test("b038: an edit keeps comments, order and line ends (test/laws/yaml-edit.test.ts holds it for all inputs)", () => {
    expect(existsSync("test/laws/yaml-edit.test.ts")).toBe(true);
  });
});

describe("names", () => {
  test("b020 b021 b022 b033: odd names get safe ones, each said once", () => {
    const found = bringServers({
      "Salesforce DX": { command: "1" },
      "npm:@scope/server-x": { command: "2" },
      "Postgres MCP - Production - Read Only": { command: "3" },
      "Postgres MCP - Development": { command: "4" },
      "🔥🔥": { command: "5" },
    });
    expect(found.add.map((a) => a.name)).toEqual([
      "Salesforce-DX",
      "npm-scope-server-x",
      "Postgres-MCP-Production-Read-Only",
      "Postgres-MCP-Development",
      "server",
    ]);
    expect(
      found.diagnostics.filter((d) => d.code === "import/renamed"),
    ).toHaveLength(5);
  });
  test.each([
    ["b026", "a b", "a_b"],
    ["b027", "evil__foo", "evil"],
    ["b028", "acme_", "acme"],
    ["b178", "my.server", "my server"],
  ])(
    "%s: two names that an agent would mix up are both left out, each naming the other",
    (_id, a, b) => {
      const found = bringServers({
        [a]: { command: "1" },
        [b]: { command: "2" },
      });
      expect(found.dropped).toEqual([
        { name: a, reason: "name-taken" },
        { name: b, reason: "name-taken" },
      ]);
      expect(found.diagnostics.map((d) => d.message).join(" ")).toContain(
        `\`${a}\``,
      );
    },
  );
  test("b030: a double underscore becomes one", () => {
    expect(
      bringServers({ my__server: { command: "x" } }).add.map((s) => s.name),
    ).toEqual(["my_server"]);
  });
  test("b029: rules compare the server's own names; names that an agent makes equal are refused there", () => {
    const { file, codes } = compiled(
      'mcp: { s: { url: "https://a.example/", tools: { allow: [read-file, read.file], deny: [read_file] } } }\n',
    );
    expect(codes).toContain("deliver/tools-left-out");
    expect(JSON.parse(file("claude-code/settings.json"))).toMatchObject({
      permissions: {
        allow: ["mcp__s__read-file"],
        deny: ["mcp__s__read_file"],
      },
    });
  });
  test("b164: names that an agent reserves are refused", () => {
    const host = testHost({
      project: {
        "fenzi.yaml": "version: 1\nmcp: { workspace: { command: [x] } }\n",
      },
    });
    expect(loadProject(host).diagnostics.map((d) => d.code)).toEqual([
      "server/reserved-name",
    ]);
    expect(
      bringServers({ "filesystem-docs": { command: "npx" } }).add,
    ).toHaveLength(1);
  });
  test("b165 b166: a long name is cut, and two that meet when cut are both left out", () => {
    const long = "x".repeat(60);
    expect(
      bringServers({ [long]: { command: "1" } }).add[0]?.name,
    ).toHaveLength(40);
    expect(
      bringServers({
        [`${long}a`]: { command: "1" },
        [`${long}b`]: { command: "2" },
      }).dropped,
    ).toHaveLength(2);
  });
});

describe("references", () => {
  test("b001: a nested transport is read whole", () => {
    expect(
      entryOf({
        a: {
          transport: {
            type: "http",
            url: "http://127.0.0.1:9/mcp",
            headers: { "x-t": "${T}" },
          },
        },
      }),
    ).toMatchObject({ headers: { "x-t": "${T}" } });
  });
  test("b003 b059: a bearer header becomes a stored token, its variable is said, the scheme is not doubled", () => {
    const found = bringServers({
      gh: {
        url: "https://mcp.example.com/mcp",
        headers: { Authorization: "Bearer ${TOKEN}" },
      },
    });
    expect(found.entries[0]?.entry).toMatchObject({ token: true });
    expect(found.tokens).toEqual([
      { name: "gh", where: "headers.Authorization", variable: "TOKEN" },
    ]);
    const { file } = compiled(
      'mcp: { gh: { url: "https://a.example/", token: true, tools: all } }\n',
    );
    expect(file("claude-code/mcp.json")).toContain('"Bearer ${FENZI_MCP_GH}"');
    expect(file("codex/config.toml")).toMatch(
      /bearer_token_env_var = "FENZI_MCP_GH"/,
    );
  });
  test("b012: both forms of a reference in one file", () => {
    expect(
      entryOf({
        a: {
          url: "https://a.example/",
          headers: { A: "Bearer ${T1}", B: "${env:T2}" },
        },
      }),
    ).toMatchObject({ headers: { A: "Bearer ${T1}", B: "${T2}" } });
  });
  test("b002 b007 b009 b019 b056: each agent gets its own form, and the launch line names the variable", () => {
    const { file, needs } = compiled(
      'mcp:\n  h: { url: "https://a.example/", headers: { X-K: "${H_KEY}" }, tools: all }\n  l: { command: [x], env: { L_KEY: "${L_KEY}" } }\n',
    );
    expect(file("claude-code/mcp.json")).toContain('"X-K": "${H_KEY}"');
    expect(file("opencode/opencode.json")).toContain('"X-K": "{env:H_KEY}"');
    expect(file("codex/config.toml")).toMatch(/env_http_headers/);
    expect(file("codex/config.toml")).toMatch(/env_vars = \[\s*"L_KEY"\s*\]/);
    expect(file("grok/config.toml")).toContain('"${H_KEY}"');
    expect(
      file("claude-code/mcp.json") +
        file("opencode/opencode.json") +
        file("grok/config.toml"),
    ).not.toContain("env_vars");
    for (const list of needs)
      expect(list).toEqual(expect.arrayContaining(["H_KEY", "L_KEY"]));
  });
  test("b009: a default is dropped and reported", () => {
    const found = bringServers({
      a: { command: "x", env: { K: "${V:-secret-default}" } },
    });
    expect(found.entries[0]?.entry).toMatchObject({ env: { K: "${V}" } });
    expect(found.diagnostics.map((d) => d.message).join("\n")).toMatch(
      /default/,
    );
  });
});

describe("secrets", () => {
  test("b015: a token never stands in a command line", () => {
    const { file } = compiled(
      'mcp: { a: { url: "https://a.example/", token: true, tools: all } }\n',
    );
    expect(file("claude-code/mcp.json")).not.toContain("argv");
    expect(file("codex/config.toml")).not.toMatch(/Authorization/);
  });
  test("b017: a secret is known by the name it stands under, not only by its form", () => {
    expect(
      json(
        bringServers({
          a: { command: "x", env: { DB_PASSWORD: "correct-horse-battery" } },
        }),
      ),
    ).not.toContain("correct-horse");
  });
  test("b018: a token in a URL's query drops the server and is not shown", () => {
    const found = bringServers({
      q: { url: "https://mcp.example.com/mcp?token=tok_EXAMPLE" },
    });
    expect([found.dropped, json(found).includes("tok_EXAMPLE")]).toEqual([
      [{ name: "q", reason: "secret-in-url" }],
      false,
    ]);
  });
  test("b151 b152: a foreign reference is no literal, a variable that is passed by name is no secret", () => {
    expect(
      entryOf({ k: { command: "x", env: { K: "se://x" } } }),
    ).toMatchObject({ env: { K: "${K}" } });
    expect(
      entryOf({
        d: {
          command: "docker",
          args: [
            "run",
            "-e",
            "TOKEN",
            "-e",
            "K=ghp_0123456789abcdefghijABCDEFGHIJ01",
            "img",
          ],
        },
      }),
    ).toEqual({
      command: ["docker", "run", "-e", "TOKEN", "-e", "K=${D_ARG_5}", "img"],
    });
  });
});

describe("what agents are told", () => {
  test("b023: every key that needs quotes in TOML has them", () => {
    const { file } = compiled(
      'mcp: { s: { url: "https://a.example/", tools: { allow: ["npm:@scope/x.y"], ask: ["npm:@scope/x.y"] } } }\n',
    );
    expect(file("codex/config.toml")).toContain('"npm:@scope/x.y"');
  });
  test("b055 b061 b146: lists, tables and words in each agent's own form", () => {
    const { file } = compiled(
      'mcp:\n  s: { url: "https://a.example/", tools: { allow: [alpha, beta] } }\n  l: { command: [x, --header, "Authorization: Basic ${T}"], env: { A: b } }\n',
    );
    expect(file("codex/config.toml")).toMatch(
      /enabled_tools = \[\s*"alpha",\s*"beta"\s*\]/,
    );
    expect(JSON.parse(file("opencode/opencode.json"))).toMatchObject({
      mcp: {
        l: {
          command: ["x", "--header", "Authorization: Basic {env:T}"],
          environment: { A: "b" },
        },
      },
    });
  });
  test("b068 b070 b072 b077 b078: rules stand under the right key, by full name, refusals last", () => {
    const { file } = compiled(
      'mcp: { srv: { url: "https://a.example/", tools: { allow: all, ask: [make], deny: ["delete*"] } } }\n',
    );
    expect(JSON.parse(file("claude-code/settings.json"))).toMatchObject({
      permissions: {
        allow: ["mcp__srv"],
        ask: ["mcp__srv__make"],
        deny: ["mcp__srv__delete*"],
      },
    });
    expect(
      Object.entries(
        (JSON.parse(file("opencode/opencode.json")) as { permission: object })
          .permission,
      ),
    ).toEqual([
      ["srv_*", "allow"],
      ["srv_make", "ask"],
      ["srv_delete*", "deny"],
    ]);
  });
  test("b074: rules are the server's own tools, whatever the agent says of its built-in ones", () => {
    expect(
      compiled(
        "mcp: { fs: { command: [x], tools: { allow: [read_file] } } }\n",
      ).file("claude-code/settings.json"),
    ).toContain("mcp__fs__read_file");
  });
  test("b156: a server that is off is left out, and stays off through an import", () => {
    expect(
      compiled("mcp: { g: { command: [x], enabled: false } }\n").file(
        "claude-code/mcp.json",
      ),
    ).not.toContain('"g"');
    expect(
      entryOf({ g: { command: "docker", args: ["run"], disabled: true } }),
    ).toMatchObject({ enabled: false });
  });
  test("b173: a folder of the server's own is named, not hoped for", () => {
    expect(
      compiled("mcp: { g: { command: [x], cwd: /srv } }\n").codes,
    ).toContain("deliver/cwd-not-supported");
  });
});

describe("policy", () => {
  const effect = (tools: string, tool: string) => {
    const { model } = loadProject(
      testHost({
        project: {
          "fenzi.yaml": `version: 1\nmcp: { s: { command: [x], tools: ${tools} } }\n`,
        },
      }),
    );
    const server = model?.servers[0];
    return server === undefined
      ? null
      : decide(preparePolicy(server, NO_COMMON_RULES), { tool });
  };
  test("b073: lists that an agent ignores become rules", () => {
    expect(
      entryOf({
        a: { command: "x", allowedTools: ["a"], disallowedTools: ["delete"] },
      }),
    ).toMatchObject({ tools: { allow: ["a"], deny: ["delete"] } });
  });
  test("b075: a refusal names the rule and its place", () => {
    expect(effect("{ allow: all, deny: [x] }", "x")?.reasons[0]).toMatchObject({
      rule: "tools.deny",
      origin: { at: { start: { line: 2 } } },
    });
  });
  test("b138 b139: odd names are covered by no pattern; only names are judged", () => {
    for (const tool of ["ａdmin", "x\u202Eyz", "аdmin"])
      expect(effect("all", tool)?.effect).toBe("deny");
    expect(effect("{ allow: [ツール] }", "ツール")?.effect).toBe("allow");
  });
});

describe("importing", () => {
  test("b065: the same address twice is said, and their rules are not joined", () => {
    const found = bringServers({
      a: { url: "https://e.example/mcp" },
      b: { url: "https://E.example:443/mcp" },
    });
    expect(found.dropped).toEqual([{ name: "b", reason: "host-taken" }]);
  });
  test("b066: the source that was read is named", () => {
    expect(bringServers({ a: { command: "x" } }).sources).toMatchObject([
      { file: "x.json" },
    ]);
  });
  test("b147: a flag that stands twice stays twice, and both are looked at", () => {
    const entry = entryOf({
      h: {
        command: "npx",
        args: [
          "--header",
          "A: Bearer ${T}",
          "--header",
          "X-Key: abcdef0123456789abcdef01",
        ],
      },
    });
    expect(entry?.command?.slice(1)).toEqual([
      "--header",
      "A: Bearer ${T}",
      "--header",
      "X-Key: ${H_ARG_4}",
    ]);
  });
  test("b149: `cmd /c` is kept and said", () => {
    const found = bringServers({
      w: { command: "cmd", args: ["/c", "npx", "x"] },
    });
    expect(found.entries[0]?.entry.command).toEqual(["cmd", "/c", "npx", "x"]);
    expect(found.diagnostics.map((d) => d.code)).toContain(
      "import/windows-command",
    );
  });
});

test("every report of these areas is a test or has a reason, and no reason is left over", () => {
  const own = readFileSync("test/adversarial/bug-reports.test.ts", "utf8");
  const tested = (id: string) =>
    new RegExp(`"[^"\\n]*\\b${id}\\b[^"\\n]*"`).test(
      own.replace(/const MOOT[\s\S]*?};/, ""),
    );
  for (const id of Object.keys(MOOT)) expect(tested(id), id).toBe(false);
  const file = "../shared/cases/bug-reports.jsonl";
  if (!existsSync(file)) return;
  const reports = readFileSync(file, "utf8")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l) as { id: string; area: string });
  const unanswered = reports
    .filter(
      (r) =>
        AREAS.includes(r.area) && !tested(r.id) && MOOT[r.id] === undefined,
    )
    .map((r) => r.id);
  expect(unanswered).toEqual([]);
});
