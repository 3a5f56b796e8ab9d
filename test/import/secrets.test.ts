// No secret of a source may come out anywhere, and what stands for it must be right. Which texts are secrets is
// `test/match/secret.test.ts`.
import { describe, expect, it } from "vitest";
import {
  codesOf,
  entryOf,
  importing,
  importingEntry,
  leftOf,
  runImport,
} from "./run-import.ts";

const URL = "https://mcp.example.com/mcp";
const SECRET = "tok_EXAMPLE000000";

/** Imports one entry and fails when the secret comes out. */
function hiding(entry: unknown) {
  const result = importingEntry(entry);
  expect(JSON.stringify(result)).not.toContain("EXAMPLE");
  return result;
}

describe("in a command", () => {
  const words: [string, readonly string[], readonly string[]][] = [
    [
      "after a flag",
      ["x", "--access-token", "sbp_EXAMPLE0000000"],
      ["x", "--access-token", "${A_ARG_2}"],
    ],
    [
      "in a flag",
      ["x", `--api-key=${SECRET}`, "--stdio"],
      ["x", "--api-key=${A_ARG_1}", "--stdio"],
    ],
    [
      "by its form alone",
      ["npx", "-y", "x", "start", "napi_EXAMPLE0xx0xxxxxxx00xxx"],
      ["npx", "-y", "x", "start", "${A_ARG_4}"],
    ],
    [
      "in a header",
      [
        "npx",
        "x",
        "--header",
        `Authorization: Bearer ${SECRET}`,
        "--header",
        "X-B:${B}",
      ],
      [
        "npx",
        "x",
        "--header",
        "Authorization: Bearer ${A_ARG_3}",
        "--header",
        "X-B:${B}",
      ],
    ],
    [
      "of docker",
      ["docker", "run", "-e", `TOKEN=${SECRET}`, "-e", "OTHER", "img"],
      ["docker", "run", "-e", "TOKEN=${A_ARG_3}", "-e", "OTHER", "img"],
    ],
    [
      "in JSON",
      ["x", '{"apiKey":"sk-EXAMPLE0000000000","m":1}'],
      ["x", '{"apiKey":"${A_ARG_1}","m":1}'],
    ],
    [
      "two in one word",
      ["x", `{"token":"${SECRET}","password":"EXAMPLE"}`],
      ["x", '{"token":"${A_ARG_1}","password":"${A_ARG_1_2}"}'],
    ],
    [
      "in a URL",
      ["x", "redis://:EXAMPLExXxxxxxxX@192.0.2.12:6379/0"],
      ["x", "redis://:${A_ARG_1}@192.0.2.12:6379/0"],
    ],
    [
      "in a query",
      ["npx", "mcp-remote", `${URL}?api_key=${SECRET}&x=1`],
      ["npx", "mcp-remote", `${URL}?api_key=\${A_ARG_2}&x=1`],
    ],
    [
      "in a script, with dollar signs",
      ["sh", "-c", `export TOKEN=${SECRET}; exec "$HOME/x"`],
      ["sh", "-c", 'export TOKEN=${A_ARG_2}; exec "$HOME/x"'],
    ],
    [
      "from a store",
      ["x", "--token", "op://vault/item/EXAMPLE"],
      ["x", "--token", "${A_ARG_2}"],
    ],
  ];
  for (const [what, source, command] of words)
    it(what, () => {
      const [program, ...args] = source;
      const result = hiding({ command: program, args });
      expect(entryOf(result)).toEqual({ command });
      expect(codesOf(result)).toContain("import/secret");
    });

  it("its place and its variable are reported", () => {
    const result = hiding({ command: "x", args: ["--token", SECRET] });
    expect(result.tokens).toEqual([
      { name: "a", where: "args[1]", variable: "A_ARG_2" },
    ]);
  });

  it("the variable is named after the server", () => {
    const result = importing({
      mcpServers: { "my server": { command: "x", args: ["--token", SECRET] } },
    });
    expect(result.entries[0]?.entry.command).toEqual([
      "x",
      "--token",
      "${MY_SERVER_ARG_2}",
    ]);
  });
});

describe("in variables", () => {
  it("each becomes a reference of its own name", () => {
    const result = hiding({
      command: "x",
      env: {
        GITHUB_TOKEN: "EXAMPLE0",
        AUTH: `Bearer ${SECRET}`,
        DATABASE_URL: "postgres://u:EXAMPLE@db/x",
        OPENAPI_HEADERS: `{"Authorization": "Bearer ${SECRET}"}`,
        QUEUE: "c:/x/EXAMPLE000x0x0x0x000x0000xxxxxxx/q",
        VAULT: "se://EXAMPLE",
        PLACEHOLDER_API_KEY: "YOUR_API_KEY",
        MODE: "ro",
        EMPTY_TOKEN: "",
      },
    });
    expect(entryOf(result)).toEqual({
      command: ["x"],
      env: {
        GITHUB_TOKEN: "${GITHUB_TOKEN}",
        AUTH: "${AUTH}",
        DATABASE_URL: "${DATABASE_URL}",
        OPENAPI_HEADERS: "${OPENAPI_HEADERS}",
        QUEUE: "${QUEUE}",
        VAULT: "${VAULT}",
        PLACEHOLDER_API_KEY: "${PLACEHOLDER_API_KEY}",
        MODE: "ro",
        EMPTY_TOKEN: "",
      },
    });
    expect(result.tokens).toHaveLength(7);
    expect(result.tokens[0]).toEqual({
      name: "a",
      where: "env.GITHUB_TOKEN",
      variable: "GITHUB_TOKEN",
    });
  });

  it("two servers with different secrets in one variable are warned about", () => {
    const result = importing({
      mcpServers: {
        a: { command: "x", env: { TOKEN: "EXAMPLE1" } },
        b: { command: "y", env: { TOKEN: "EXAMPLE2" } },
        c: { command: "z", env: { TOKEN: "EXAMPLE1" } },
      },
    });
    expect(
      result.diagnostics
        .filter((d) => d.code === "import/same-variable")
        .map((d) => d.message),
    ).toEqual(["`b` and `a` have different secrets in `TOKEN`"]);
    expect(JSON.stringify(result)).not.toContain("EXAMPLE");
  });

  it("one that got into the place of a name does not come out", () => {
    hiding({ command: "x", env: ["sk-EXAMPLE0000000000", "A=1"] });
    hiding({ command: "x", env: { "sk-EXAMPLE0000000000": "1" } });
    hiding({ command: "x", "sk-EXAMPLE0000000000": "1" });
    hiding({ url: URL, headers: { "Bearer sk-EXAMPLE0000000000": "" } });
  });
});

describe("in headers", () => {
  const cases: [
    string,
    unknown,
    unknown,
    readonly unknown[],
    readonly string[],
  ][] = [
    [
      "a bearer token",
      { Authorization: `Bearer ${SECRET}` },
      { token: true },
      [{ where: "headers.Authorization" }],
      [],
    ],
    [
      "a bearer reference",
      { authorization: "bearer ${T}" },
      { token: true },
      [{ where: "headers.authorization", variable: "T" }],
      [],
    ],
    [
      "an editor's reference",
      { Authorization: "Bearer ${input:my-token}" },
      { token: true },
      [{ where: "headers.Authorization", variable: "my_token" }],
      [],
    ],
    [
      "one key",
      { "X-Goog-Api-Key": "AQ.EXAMPLE" },
      { token: { header: "X-Goog-Api-Key" } },
      [{ where: "headers.X-Goog-Api-Key" }],
      [],
    ],
    [
      "one key by reference",
      { "X-Api-Key": "${STITCH_KEY}" },
      { token: { header: "X-Api-Key" } },
      [{ where: "headers.X-Api-Key", variable: "STITCH_KEY" }],
      [],
    ],
    [
      "a key under any name",
      { "X-Custom": "ghp_EXAMPLE0000000000000000" },
      { token: { header: "X-Custom" } },
      [{ where: "headers.X-Custom" }],
      [],
    ],
    [
      "a bearer token and a key",
      { "X-Api-Key": SECRET, Authorization: `Bearer ${SECRET}` },
      { headers: { "X-Api-Key": "${A_X_API_KEY}" }, token: true },
      [
        { where: "headers.X-Api-Key", variable: "A_X_API_KEY" },
        { where: "headers.Authorization" },
      ],
      [],
    ],
    [
      "two keys",
      { "DD-API-KEY": SECRET, "DD-APPLICATION-KEY": SECRET },
      {
        headers: { "DD-APPLICATION-KEY": "${A_DD_APPLICATION_KEY}" },
        token: { header: "DD-API-KEY" },
      },
      [
        { where: "headers.DD-API-KEY" },
        {
          where: "headers.DD-APPLICATION-KEY",
          variable: "A_DD_APPLICATION_KEY",
        },
      ],
      [],
    ],
    [
      "another scheme",
      { Authorization: "Basic ${input:x}" },
      {},
      [],
      ["headers.Authorization: not-a-token"],
    ],
    [
      "another scheme with a secret",
      { Authorization: "Basic EXAMPLE" },
      {},
      [],
      ["headers.Authorization: not-a-token"],
    ],
    [
      "a key without a scheme",
      { Authorization: SECRET },
      {},
      [],
      ["headers.Authorization: not-a-token"],
    ],
    [
      "a cookie",
      { Cookie: "sid=EXAMPLE; a=b" },
      { headers: { Cookie: "${A_COOKIE}" } },
      [{ where: "headers.Cookie", variable: "A_COOKIE" }],
      [],
    ],
    [
      "a prefix and a reference",
      { A: "Bearer ${T1}", B: "${env:T2}" },
      { headers: { A: "Bearer ${T1}", B: "${T2}" } },
      [],
      [],
    ],
    [
      "no secret",
      { "X-MCP-Toolsets": "repos", "X-N": 5 },
      { headers: { "X-MCP-Toolsets": "repos", "X-N": "5" } },
      [],
      [],
    ],
    [
      "the client's own",
      {
        Accept: "a/b",
        "Content-Type": "a/b",
        Host: "x",
        "Mcp-Session-Id": "x",
      },
      {},
      [],
      [
        "headers.Accept: client-header",
        "headers.Content-Type: client-header",
        "headers.Host: client-header",
        "headers.Mcp-Session-Id: client-header",
      ],
    ],
    [
      "no header at all",
      { "A B": "x", C: "a\nb", D: "ä€", E: "1", e: "2" },
      { headers: { E: "1" } },
      [],
      [
        "headers.A B: not-a-name",
        "headers.C: not-a-value",
        "headers.D: not-a-value",
        "headers.e: not-a-name",
      ],
    ],
  ];
  for (const [what, headers, kept, tokens, left] of cases)
    it(what, () => {
      const result = hiding({ url: URL, headers });
      expect(entryOf(result)).toEqual({
        url: URL,
        ...(kept as object),
        tools: "all",
      });
      expect(result.tokens).toEqual(
        tokens.map((token) => ({ name: "a", ...(token as object) })),
      );
      expect(leftOf(result)).toEqual(left);
    });

  it("the message says where to put the token, and where it came from", () => {
    const result = hiding({
      url: URL,
      headers: { Authorization: "Bearer ${T}" },
    });
    const token = result.diagnostics.find((d) => d.code === "import/token");
    expect(token?.message).toBe(
      "the token in `headers.Authorization` of `a` is not copied; its source took it from `T`",
    );
    expect(token?.help).toBe("store it with `fenzi mcp token a`");
  });
});

it("a dropped server's secrets do not come out", () => {
  for (const entry of [
    { url: `${URL}?token=${SECRET}` },
    { url: `https://me:${SECRET}@mcp.example.com/` },
    { url: `http://mcp.example.com/${SECRET}`, headers: { A: SECRET } },
    { type: "sse", url: URL, headers: { Authorization: `Bearer ${SECRET}` } },
    { url: `https://mcp.example.com/../${SECRET}` },
    { command: "x", args: `--token ${SECRET}` },
    { command: "x", env: { TOKEN: { a: SECRET } } },
    { baseUrl: `${URL}?token=${SECRET}` },
    SECRET,
    [SECRET],
  ])
    expect(hiding(entry).add).toEqual([]);
});

it("left out values do not come out", () => {
  hiding({ url: URL, env: { Authorization: `Bearer ${SECRET}` } });
  hiding({ url: URL, bearerToken: SECRET, oauth: { clientSecret: SECRET } });
  hiding({
    command: "x",
    headers: { A: SECRET },
    cwd: `/x/${"EXAMPLE0a1b2c3d4e5f6g7h8i9j0k1l2"}`,
  });
  hiding({
    command: "x",
    args: ["${T:-EXAMPLE}"],
    env: { A: "${B:-EXAMPLE}" },
  });
});

it("an import over a server that is there shows nothing of it", () => {
  const text = JSON.stringify({
    mcpServers: { a: { command: "x", env: { TOKEN: "EXAMPLE0" } } },
  });
  const result = runImport([
    { file: "a.json", text },
    { file: "b.json", text: text.replace("EXAMPLE0", "EXAMPLE9") },
  ]);
  expect(JSON.stringify(result)).not.toContain("EXAMPLE");
});
