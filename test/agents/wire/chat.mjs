// OpenAI's Chat Completions API, as far as a scripted model needs it.
import { openEvents, sendJson } from "../http.mjs";

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const textOf = (content) =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.text ?? "").join("");

export const chat = {
  tools: (body) =>
    (body.tools ?? []).map((tool) => ({
      full: tool.function.name,
      name: tool.function.name,
    })),

  forced: (body) => body.tool_choice?.function?.name,

  outputs: (body) =>
    body.messages
      .filter(({ role }) => role === "tool")
      .map((m) => ({ id: m.tool_call_id, output: textOf(m.content) })),

  send(response, body, plan) {
    const base = { id: "chatcmpl-scripted", created: 0, model: body.model };
    const tool_calls = plan.calls?.map(({ id, name, args }, index) => ({
      index,
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    const finish_reason = tool_calls ? "tool_calls" : "stop";
    const message = {
      role: "assistant",
      content: plan.text ?? null,
      ...(tool_calls ? { tool_calls } : {}),
    };
    if (!body.stream)
      return sendJson(response, 200, {
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, finish_reason, message }],
        usage,
      });
    const emit = openEvents(response);
    const send = (choices, rest = {}) =>
      emit({ ...base, object: "chat.completion.chunk", choices, ...rest });
    send([{ index: 0, delta: message, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason }]);
    send([], { usage });
    emit("[DONE]");
    response.end();
  },
};
