// Anthropic's Messages API, as far as a scripted model needs it.
import { openEvents, sendJson } from "../http.mjs";

const usage = { input_tokens: 10, output_tokens: 5 };

const textOf = (content) =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.text ?? "").join("");

export const anthropic = {
  tools: (body) => (body.tools ?? []).map(({ name }) => ({ full: name, name })),

  forced: (body) =>
    body.tool_choice?.type === "tool" ? body.tool_choice.name : undefined,

  outputs: (body) =>
    body.messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map((part) => ({ id: part.tool_use_id, output: textOf(part.content) })),

  send(response, body, plan) {
    const content = plan.calls
      ? plan.calls.map(({ id, name, args }) => ({
          type: "tool_use",
          id,
          name,
          input: args,
        }))
      : [{ type: "text", text: plan.text }];
    const stop_reason = plan.calls ? "tool_use" : "end_turn";
    const message = {
      id: "msg_scripted",
      type: "message",
      role: "assistant",
      model: body.model,
      content,
      stop_reason,
      stop_sequence: null,
      usage,
    };
    if (!body.stream) return sendJson(response, 200, message);
    const emit = openEvents(response);
    const send = (type, rest) => emit({ type, ...rest }, type);
    send("message_start", {
      message: { ...message, content: [], stop_reason: null },
    });
    content.forEach((part, index) => {
      const isText = part.type === "text";
      send("content_block_start", {
        index,
        content_block: isText ? { ...part, text: "" } : { ...part, input: {} },
      });
      send("content_block_delta", {
        index,
        delta: isText
          ? { type: "text_delta", text: part.text }
          : {
              type: "input_json_delta",
              partial_json: JSON.stringify(part.input),
            },
      });
      send("content_block_stop", { index });
    });
    send("message_delta", {
      delta: { stop_reason, stop_sequence: null },
      usage,
    });
    send("message_stop", {});
    response.end();
  },
};
