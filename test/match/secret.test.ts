// Which texts are secrets is a judgement over many small cases, far below the command line; every front end relies on it.
import { describe, expect, it } from "vitest";
import {
  findSecret,
  findSecrets,
  type SecretPlace,
} from "../../src/match/secret.ts";

const word = (before: string | null = null): SecretPlace => ({
  kind: "word",
  before,
});
const env = (name: string): SecretPlace => ({ kind: "env", name });
const header = (name: string): SecretPlace => ({ kind: "header", name });
const url: SecretPlace = { kind: "url" };

/** What is cut out, each as `<…>`. */
function cut(text: string, place: SecretPlace): string {
  let out = "";
  let from = 0;
  for (const { start, end } of findSecrets(text, place)) {
    out += `${text.slice(from, start)}<${text.slice(start, end)}>`;
    from = end;
  }
  return out + text.slice(from);
}

const RANDOM = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";

describe("a value under a name", () => {
  const secret: [SecretPlace, string][] = [
    [env("GITHUB_TOKEN"), "tok_1"],
    [env("OPENCLAW_AUTOMATION_TOKEN"), "ABCDEFGXX_XXX"],
    [env("DB_PASSWORD"), "root"],
    [env("DB_PASSWORD"), "123456"],
    [env("PGPASSWORD"), "postgres"],
    [env("Syncfusion_API_Key"), "abcdef"],
    [env("perplexityApiKey"), "abcdef"],
    [env("AGENT_BEARER_TOKEN"), "0x000xxx"],
    [env("AUTH"), "Bearer tok_000000000000"],
    [env("OPENAI_API_KEY"), "your-api-key-here"],
    [env("NOTION_API_TOKEN"), "<paste-your-token-here>"],
    [env("GOOGLE_MAPS_API_KEY"), "..."],
    [env("FAL_KEY"), "YOUR_FAL_KEY_HERE"],
    [env("FAL_KEY"), "9f8e7d6c-1111-2222"],
    [env("API_KEY_2"), "abcdef"],
    [env("TAVILY_KEY"), "abcdef"],
    [env("OAUTH_CLIENT_ID"), "0a1b2c3d4e5f"],
    [env("VAULT_SECRET_ID"), "0f8fad5b-d9cb-469f"],
    [env("SERVICE_KEY_BASE64"), "q9Z/aB3c+dE5f/G7h8I9j0K1l2M3=="],
    [env("AUTH"), "hunter"],
    [env("SLACK_TOKEN_PROD"), "abcdef"],
    [env("COOKIE"), "session=abc"],
    [env("TOKEN"), "pa$$word"],
    [header("X-Goog-Api-Key"), "AQ.short"],
    [header("Authorization"), "Bearer tok_short"],
    [header("PRIVATE-TOKEN"), "abcdef"],
    [word("--access-token"), "sbp_short"],
    [word("--api-key"), "abcdef"],
    [word("--password"), "hunter2"],
  ];
  for (const [place, text] of secret)
    it(`is one: ${JSON.stringify(place)} ${text}`, () => {
      expect(findSecret(text, place)).not.toBeNull();
    });

  const harmless: [SecretPlace, string][] = [
    [env("MODE"), "ro"],
    [env("KEY"), "${DB_KEY}"],
    [env("GITHUB_TOKEN"), ""],
    [env("GITHUB_TOKEN"), "${GITHUB_TOKEN}"],
    [env("GITHUB_TOKEN"), "$GITHUB_TOKEN"],
    [env("GITHUB_TOKEN"), "%GITHUB_TOKEN%"],
    [env("USE_TOKEN"), "true"],
    [env("AUTH"), "oauth"],
    [env("AUTH_TYPE"), "api_key_v2"],
    [env("AUTHOR"), "a1b2c3d4"],
    [env("OAUTH_CLIENT_ID"), "my-client"],
    [env("TOKEN_URL"), "https://a.example/b"],
    [env("CACHE_KEY"), "a1b2c3d4"],
    [env("MY_KEY"), "x"],
    [env("MAX_TOKENS"), "64000"],
    [env("DEFAULT_MINIMUM_TOKENS"), "10000"],
    [env("QINGTIAN_SESSION"), "1"],
    [env("TOKEN_FILE"), "/run/secrets/token"],
    [env("GOOGLE_APPLICATION_CREDENTIALS"), "/home/me/key.json"],
    [env("SSL_KEY"), "./certs/key.pem"],
    [env("JIRA_PROJECT_KEY"), "PROJ1234"],
    [env("PUBLIC_KEY"), "abc123def456"],
    [env("PWD"), "/home/me"],
    [env("OPENAI_MODEL"), "doubao-seed-2-0-lite-260215"],
    [env("OPENAI_BASE_URL"), "https://api.openai.com/v1"],
    [env("SERVER_HOST"), "192.0.2.54:8080"],
    [env("NEO4J_URI"), "bolt://localhost:7687"],
    [header("Authorization"), "Bearer ${TOKEN}"],
    [header("Authorization"), "Basic ${basic}"],
    [header("Accept"), "application/json, text/event-stream"],
    [header("X-MCP-Toolsets"), "repos,issues"],
    [word("--token"), "${TOKEN}"],
    [word("--token"), "--verbose"],
    [word("-e"), "GITHUB_TOKEN"],
    [word("--env=X"), "abcdef"],
    [word("--key-file"), "abcdef"],
  ];
  for (const [place, text] of harmless)
    it(`is none: ${JSON.stringify(place)} ${text}`, () => {
      expect(findSecret(text, place)).toBeNull();
    });
});

describe("a part of a text", () => {
  const cases: [SecretPlace, string][] = [
    [word("-e"), "GITHUB_TOKEN=<abcdef>"],
    [word("-e"), "GITHUB_TOKEN=<abc def,ghi>"],
    [word(), "--env=GITHUB_TOKEN=<abcdef>"],
    [word(), "-eGITHUB_TOKEN=<abcdef>"],
    [word(), "--figma-api-key=<figd_0123456789abcdef01>"],
    [word(), '{"apiKey":"<sk-000>","mode":"ro"}'],
    [word(), '"{\\"perplexityApiKey\\":\\"<pplx-000>\\"}"'],
    [word("--header"), "Authorization: Bearer <tok_000000>"],
    [word("--header"), "Authorization:<abc>"],
    [word(), "--header=X-Api-Key: <abc>"],
    [word("-c"), "TOKEN=<abcdefghij> npx server --mode ro"],
    [word("-c"), 'curl -H "Authorization: Bearer <tok_0>" https://a.example'],
    [word(), "redis://:<secret>@192.0.2.12:6379/0"],
    [word(), "postgresql://postgres:<postgres>@localhost:5432/db"],
    [word(), "postgresql://u:<pass/w#rd>@localhost/db"],
    [word(), "https://<a1b2c3d4e5f6a7b8c9d0>@git.example.com/x"],
    [env("MYSQL_DSN"), "user:<pass>@tcp(host)/db"],
    [env("DB"), "Server=db;User Id=sa;Password=<p1>;Encrypt=true"],
    [env("DB"), "host=db password=<p1> dbname=x"],
    [word(), "start <napi_0a1b2c3d4e5f6a7b8c9d>"],
    [word(), `<${RANDOM}>`],
    [word(), `c:/Users/me/${"storage/"}<${RANDOM}>/index.mjs`],
    [word(), "<0123456789abcdef0123456789abcdef>"],
    [url, "https://mcp.example.com/mcp?token=<tok_A>&x=1"],
    [url, "https://mcp.example.com/mcp?tavilyApiKey=<abc>"],
    [url, "https://mcp.example.com/mcp?code=<a1b2c3d4e5>"],
    [url, "https://mcp.example.com/mcp?key=<abcdefgh>&x=1"],
    [word(), `<${"q9Z/aB3c+dE5f/G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1=="}>`],
    [url, `https://mcp.example.com/s/<${RANDOM}>/mcp`],
    [url, "https://me:<x>@mcp.example.com/"],
    [{ kind: "text" }, "failed with Bearer <sk-0123456789abcdef>"],
  ];
  for (const [place, marked] of cases)
    it(`is cut out: ${marked}`, () => {
      expect(cut(marked.replace(/[<>]/g, ""), place)).toBe(marked);
    });

  const whole: [SecretPlace, string][] = [
    [word(), "type=bind,src=/home/me,dst=/work"],
    [word(), "git+https://github.com/oraios/serena"],
    [
      word(),
      "git+ssh://git@github.com/a/b.git#0123456789abcdef0123456789abcdef01234567",
    ],
    [word(), `image@sha256:${"0123456789abcdef".repeat(4)}`],
    [word(), `/nix/store/${RANDOM}-node/bin/node`],
    [word(), "https://mcp.example.com/mcp?project_ref=exampleprojectref000"],
    [word(), "TCP:host.docker.internal:8811"],
    [word(), "mysql://$USER@localhost/db"],
    [word(), "postgres://u:${DB_PASSWORD}@localhost/db"],
    [word("-c"), 'export TOKEN=$(pass show x); exec "$HOME/bin/x"'],
    [word("--header"), "Authorization: Bearer ${T}"],
    [word("--header"), "Authorization:${AUTH}"],
    [word("--header"), "X-B:${B}"],
    [word(), "@modelcontextprotocol/server-sequential-thinking"],
    [word(), "npm:server@1.0.0"],
    [word(), "ghcr.io/microsoft/mcp-dotnet-samples/awesome-copilot:latest"],
    [word(), "C:\\Users\\me\\AppData\\Roaming\\npm\\gitnexus.cmd"],
    [word(), "--project-ref=YOUR_PROJECT_REF"],
    [word(), "TFE_TOKEN=${TFE_TOKEN}"],
    [word(), "ask for the password: then wait"],
    [url, "https://mcp.example.com/a/mcp?features=docs%2Caccount"],
    [url, "https://huggingface.co/mcp?login"],
    [url, `https://${RANDOM.toLowerCase()}.lambda-url.example.com/mcp`],
    [
      url,
      "https://mcp.example.com/server/0f8fad5b-d9cb-469f-a165-70867728950e/mcp",
    ],
  ];
  for (const [place, text] of whole)
    it(`is not cut out: ${text}`, () => {
      expect(cut(text, place)).toBe(text);
    });
});

describe("known forms", () => {
  for (const prefix of [
    "ghp_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk-ant-api03-",
    "sk_live_",
    "xoxb-",
    "npm_",
    "hf_",
    "lin_api_",
    "ntn_",
    "figd_",
    "sbp_",
    "sbp_v0_",
    "pplx-",
    "tvly-",
    "BSA",
    "AIza",
    "AQ.",
    "ctx7sk-",
    "ATATT3xF",
    "gsk_",
    "fc-",
    "tok_",
    "dop_v1_",
  ])
    it(prefix, () => {
      const token = `${prefix}EXAMPLE0a1b2c3d4e5f6a7b8c9d0`;
      expect(cut(`x ${token} y`, { kind: "text" })).toBe(`x <${token}> y`);
    });

  it("names that begin alike are none", () => {
    for (const text of [
      "npm_config_registry",
      "task-master-ai-something-long",
      "hf_hub_download_something_long",
      "secret_manager",
      "key_value_store",
      "disk-usage-report-something",
    ])
      expect(findSecret(text, { kind: "text" }), text).toBeNull();
  });

  it("private keys", () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----`;
    expect(cut(key, { kind: "text" })).toBe(`<${key}>`);
  });
});

it("takes linear time", () => {
  const size = 200_000;
  const hostile = [
    "-",
    "a",
    "token=",
    "token='",
    "/token=",
    "a://b:c/",
    "a:a@",
    "${",
    "$(",
    "eyJa.",
    "sk-",
    "%A",
    "0a",
    '{"password":',
    "key_a",
    "-----BEGIN PRIVATE KEY-----",
  ];
  for (const piece of hostile) {
    const text = piece.repeat(size / piece.length);
    const began = performance.now();
    for (const place of [word("--x"), env("A"), url]) findSecrets(text, place);
    expect(performance.now() - began, piece).toBeLessThan(15_000);
  }
});
