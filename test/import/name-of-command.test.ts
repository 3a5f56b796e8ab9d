// A name is made of a command before there is a file, so no golden case sees more than one of them.
import { expect, test } from "vitest";
import { nameOfCommand } from "../../src/import/name-of-command.ts";

test.each([
  ["npx -y @modelcontextprotocol/server-filesystem@2026.8.31 .", "filesystem"],
  ["uvx mcp-server-git --repository .", "git"],
  ["node /srv/my-tools/dist/index.js", "index"],
  ["/usr/bin/python3.12 -m weather_mcp", "weather_mcp"],
  ["docker run -i --rm mcp/time", "time"],
  ["./bin/notes-mcp-server", "notes"],
  ["uv run server.py", "server"],
  ["npx", "server"],
  ["7zip-mcp", "s-7zip"],
])("%s is %s", (command, name) => {
  expect(nameOfCommand(command.split(" "))).toBe(name);
});
