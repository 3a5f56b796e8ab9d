// Tools that answer by themselves. The first one listed takes no arguments: the suite calls whichever comes first.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { audio, image, resource, result, takes, text } from "./content.mjs";

const STEP_MILLISECONDS = 50;

/** Keywords that a server must be able to list, and whatever stands between must leave alone. */
const WIDE_SCHEMA = JSON.parse(
  readFileSync(new URL("wide-schema.json", import.meta.url), "utf8"),
);

export function addTools(server, notify) {
  const add = (name, description, answer) =>
    server.registerTool(name, { description }, answer);
  const fixed = (name, description, ...content) =>
    add(name, description, () => result(...content));

  fixed(
    "test_simple_text",
    "A text",
    text("This is a simple text response for testing."),
  );
  fixed("test_image_content", "An image", image);
  fixed("test_audio_content", "A sound", audio);
  fixed(
    "test_embedded_resource",
    "A resource",
    resource(
      "test://embedded-resource",
      "text/plain",
      "This is an embedded resource content.",
    ),
  );
  fixed(
    "test_multiple_content_types",
    "A text, an image and a resource",
    text("Multiple content types test:"),
    image,
    resource(
      "test://mixed-content-resource",
      "application/json",
      '{"test":"data","value":123}',
    ),
  );
  add("test_error_handling", "Fails", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });

  add("test_tool_with_logging", "Logs thrice", async ({ mcpReq }) => {
    await mcpReq.log("info", "Tool execution started");
    await wait(STEP_MILLISECONDS);
    await mcpReq.log("info", "Tool processing data");
    await wait(STEP_MILLISECONDS);
    await mcpReq.log("info", "Tool execution completed");
    return result(text("Logged thrice."));
  });
  add("test_logging_tool", "Logs once", async ({ mcpReq }) => {
    await mcpReq.log("info", "Only for those who asked");
    return result(text("Logged once."));
  });
  add("test_tool_with_progress", "Tells how far it is", async ({ mcpReq }) => {
    const progressToken = mcpReq["_meta"]?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await wait(STEP_MILLISECONDS);
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
    }
    return result(text("Done."));
  });
  add("test_reconnection", "Closes its stream first", async ({ http }) => {
    http?.closeSSE?.();
    await wait(2 * STEP_MILLISECONDS);
    return result(text("Sent after the stream was closed."));
  });

  add("test_trigger_tool_change", "Says that tools changed", () => {
    notify.toolsChanged();
    return result(text("Said so."));
  });
  add("test_trigger_prompt_change", "Says that prompts changed", () => {
    notify.promptsChanged();
    return result(text("Said so."));
  });

  server.registerTool(
    "test_header_mirror",
    {
      description: "Has an argument that is also a header",
      inputSchema: takes({
        region: { type: "string", "x-mcp-header": "Region" },
      }),
    },
    ({ region }) => result(text(`Region: ${region}`)),
  );
  server.registerTool(
    "json_schema_2020_12_tool",
    {
      description: "Has a schema with wide vocabulary",
      inputSchema: fromJsonSchema(WIDE_SCHEMA),
    },
    (args) => result(text(JSON.stringify(args))),
  );
}
