// The official client through the guard as a process: it connects in both ways that it knows, takes refusals as failed
// results, and leaves nothing behind.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { SERVER } from "./open-guard.ts";
import { place, useProgram } from "./program.ts";
import { until } from "../gateway/until.ts";
import { lives } from "../support/lives.ts";

useProgram();

test.each(["legacy", "auto"] as const)(
  "connects with version negotiation `%s`",
  async (mode) => {
    const world = place({
      "project/fenzi.yaml": `version: 1
mcp:
  demo:
    command: [node, ${SERVER}]
    tools: { allow: [read_file, "search_*"], deny: [search_admin] }
`,
    });
    world.run("trust", "--yes");
    const transport = new StdioClientTransport({
      ...world.command("guard", "demo"),
      stderr: "pipe",
    });
    const client = new Client(
      { name: "agent", version: "1" },
      { versionNegotiation: { mode } },
    );
    await client.connect(transport);
    const pid = transport.pid ?? 0;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["read_file", "search_docs"]);
    expect(
      await client.callTool({ name: "read_file", arguments: { a: 1 } }),
    ).toMatchObject({
      content: [
        { type: "text", text: '{"name":"read_file","arguments":{"a":1}}' },
      ],
    });
    const refused = await client.callTool({
      name: "delete_all",
      arguments: {},
    });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused)).toContain("policy_denied");
    await client.close();
    await until(() => !lives(pid), 10_000);
  },
  60_000,
);
