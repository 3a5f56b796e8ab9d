// What is left of a text when its secrets must not be seen: as long as it was.
import { expect, test } from "vitest";
import { blankSecrets } from "../../src/match/blank-secrets.ts";

const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const STARS = "*".repeat(SECRET.length);

test.each([
  ["https://user:hunter2@h/mcp", "https://user:*******@h/mcp"],
  [`unknown option '--token=${SECRET}'`, `unknown option '--token=${STARS}'`],
  ["npx foo --password hunter2 x", "npx foo --password ******* x"],
  ['["--password", "hunter2", "x"]', '["--password", "*******", "x"]'],
  ["${PASSWORD:-hunter2} x", "${PASSWORD:-*******} x"],
  [`$(echo ${SECRET})`, `$(echo ${STARS})`],
  [
    "curl -s -u bob:hunter2pw https://h/",
    "curl -s -u bob:********* https://h/",
  ],
  [`${SECRET}.x and ${SECRET}`, `${STARS}.x and ${STARS}`],
])("%s", (text, shown) => {
  expect(blankSecrets(text)).toBe(shown);
});

test.each([
  "write `token: true` and store it with `fenzi mcp token x`",
  "write `${GITHUB_TOKEN}` and set the variable",
  "--header 'Authorization: Bearer ${TOKEN}'",
  "docker run -u node:node x",
  "the key `tokens` is missing",
  "${token_of_my_service_1}",
])("%s stays", (text) => {
  expect(blankSecrets(text)).toBe(text);
});

test("a line of a file is read as one", () => {
  expect(blankSecrets("  password: hunter2 # x", "source")).toBe(
    "  password: ******* # x",
  );
  expect(blankSecrets("the password: forgotten")).toBe(
    "the password: forgotten",
  );
});
