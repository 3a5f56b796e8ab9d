// Command lines of `mcp add` that are refused: each says what would be right, writes nothing, and shows no secret.
import { expect, test } from "vitest";
import { run } from "./run.ts";

const URL = "https://mcp.example.com/mcp";
const add = (...words: readonly string[]) => ["mcp", "add", ...words];

test.each<[string, readonly string[], string]>([
  ["no name", [], "say what to add: a name and a URL"],
  ["a name and nothing else", ["x"], "say what `x` is"],
  [
    "a URL as the name",
    [URL],
    "fenzi mcp add NAME https://mcp.example.com/mcp",
  ],
  ["a name that is none", ["a b", URL], "must start with a letter"],
  ["a reserved name", ["workspace", URL], "reserved by an agent"],
  [
    "no scheme",
    ["x", "mcp.example.com/mcp"],
    "fenzi mcp add x https://mcp.example.com/mcp",
  ],
  [
    "no scheme, with a port",
    ["x", "localhost:3000/mcp"],
    "must start with `https://`",
  ],
  ["a script without `--`", ["x", "server.js"], "fenzi mcp add x -- server.js"],
  ["a command without `--`", ["x", "npx", "srv"], "fenzi mcp add x -- npx srv"],
  [
    "a command with flags without `--`",
    ["x", "npx", "-y", "srv"],
    "fenzi mcp add NAME -- COMMAND",
  ],
  [
    "a command in one word",
    ["x", "--", "npx -y srv"],
    "fenzi mcp add x -- npx -y srv",
  ],
  ["nothing behind `--`", ["x", "--"], "the command is missing"],
  ["a URL behind `--`", ["x", "--", URL], `fenzi mcp add x ${URL}`],
  [
    "a URL and a command",
    ["x", URL, "--", "npx"],
    "give a URL, or `--` and a command",
  ],
  ["two URLs", ["x", URL, "https://b.example"], "one URL is enough"],
  ["plain http", ["x", "http://example.com/mcp"], "must be `https`"],
  [
    "tools and all of them",
    ["x", URL, "--tool", "a", "--all-tools"],
    "give one of the two",
  ],
  ["a list with commas", ["x", URL, "--tool", "a,b"], "--tool a --tool b"],
  ["a lone star", ["x", URL, "--tool", "*"], "--all-tools"],
  ["only what is refused", ["x", URL, "--deny", "a"], "--all-tools"],
  ["only what is asked about", ["x", URL, "--ask", "a"], "--all-tools"],
  ["no tools, nobody to ask", ["x", URL], "--all-tools"],
  [
    "a variable for a remote server",
    ["x", URL, "--all-tools", "--env", "A=b"],
    "`--header`",
  ],
  [
    "a header for a command",
    ["x", "--header", "A: b", "--", "npx"],
    "for a remote server",
  ],
  [
    "a token for a command",
    ["x", "--token", "--", "npx"],
    "for a remote server",
  ],
  [
    "a variable without a value",
    ["x", "--env", "KEY", "--", "npx"],
    "--env 'KEY=${KEY}'",
  ],
  [
    "a header without a value",
    ["x", URL, "--all-tools", "--header", "A"],
    "'NAME: VALUE'",
  ],
  [
    "a variable twice",
    ["x", "--env", "A=1", "--env", "A=2", "--", "npx"],
    "twice",
  ],
  [
    "both places",
    ["x", URL, "--all-tools", "--here", "--machine"],
    "cannot be used with",
  ],
  ["a misspelt flag", ["x", URL, "--tols", "a"], "--tool"],
])("says what is wrong with %s", async (_, words, said) => {
  const ran = await run(add(...words));
  expect(ran.exit).toBe(2);
  expect(ran.err.replace(/\s+/g, " ")).toContain(said);
  expect(ran.file()).toBe(null);
  expect(ran.out).toBe("");
  for (const line of ran.err.split("\n"))
    expect(line.length).toBeLessThanOrEqual(100);
});

const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
test.each<[string, readonly string[], string]>([
  [
    "a variable",
    ["x", "--env", `KEY=${SECRET}`, "--", "npx"],
    "--env 'KEY=${KEY}'",
  ],
  [
    "a header",
    ["x", URL, "--all-tools", "--header", `X-Api-Key: ${SECRET}`],
    "X-Api-Key: ${X_API_KEY}",
  ],
  [
    "the token's header",
    ["x", URL, "--all-tools", "--header", `Authorization: Bearer ${SECRET}`],
    "--token",
  ],
  ["the command", ["x", "--", "npx", "srv", "--api-key", SECRET], "${API_KEY}"],
  ["the URL", ["x", `${URL}?token=${SECRET}`, "--all-tools"], "--token"],
  ["a word before `--`", ["x", "npx", "srv", SECRET], "npx srv …"],
  ["an unknown flag", ["x", `--api-key=${SECRET}`, "npx"], "unknown option"],
  [
    "a variable without a name",
    ["x", "--env", SECRET, "--", "npx"],
    "NAME=VALUE",
  ],
])("never shows a secret given in %s", async (_, words, said) => {
  const ran = await run(add(...words));
  expect(ran.exit).toBeGreaterThan(0);
  expect(ran.err).toContain(said);
  expect(ran.err + ran.out).not.toContain(SECRET.slice(4, 20));
  expect(ran.file()).toBe(null);
});
