// OpenAI's Responses API, as far as a scripted model needs it. Tools of a `namespace` are called with that namespace.
import { openEvents, sendJson } from "../http.mjs";

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

const textOf = (output) =>
  typeof output === "string"
    ? output
    : Array.isArray(output)
      ? output.map((part) => part.text ?? "").join("")
      : JSON.stringify(output ?? "");

const flatten = (tool) =>
  tool.type === "namespace"
    ? tool.tools.map(({ name }) => ({
        full: `${tool.name}__${name}`,
        name,
        namespace: tool.name,
      }))
    : [{ full: tool.name ?? tool.type, name: tool.name ?? tool.type }];

const items = (body) => (Array.isArray(body.input) ? body.input : []);

export const responses = {
  // Tools can also be added in the middle of a conversation.
  tools: (body) =>
    [
      ...(body.tools ?? []),
      ...items(body)
        .filter(({ type }) =>
          ["additional_tools", "tool_search_output"].includes(type),
        )
        .flatMap(({ tools }) => tools ?? []),
    ].flatMap(flatten),

  forced: (body) => body.tool_choice?.name,

  outputs: (body) =>
    items(body)
      .filter(({ type }) => type?.endsWith("_call_output"))
      .map((item) => ({ id: item.call_id, output: textOf(item.output) })),

  send(response, body, plan) {
    const output = plan.calls
      ? plan.calls.map(({ id, name, namespace, args }) => ({
          type: "function_call",
          id: `fc_${id}`,
          status: "completed",
          call_id: id,
          name,
          ...(namespace ? { namespace } : {}),
          arguments: JSON.stringify(args),
        }))
      : [
          {
            type: "message",
            id: "msg_scripted",
            status: "completed",
            role: "assistant",
            content: [
              { type: "output_text", text: plan.text, annotations: [] },
            ],
          },
        ];
    const base = {
      id: "resp_scripted",
      object: "response",
      created_at: 0,
      model: body.model,
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: [],
      metadata: {},
      error: null,
      incomplete_details: null,
      instructions: null,
    };
    const whole = { ...base, status: "completed", output, usage };
    if (!body.stream) return sendJson(response, 200, whole);

    const emit = openEvents(response);
    let sequence_number = 0;
    const send = (type, rest) =>
      emit({ type, sequence_number: sequence_number++, ...rest }, type);
    send("response.created", {
      response: { ...base, status: "in_progress", output: [], usage: null },
    });
    output.forEach((item, output_index) => {
      const place = { item_id: item.id, output_index };
      const begun = { ...item, status: "in_progress" };
      if (item.type === "message") {
        const part = item.content[0];
        send("response.output_item.added", {
          output_index,
          item: { ...begun, content: [] },
        });
        send("response.content_part.added", {
          ...place,
          content_index: 0,
          part: { ...part, text: "" },
        });
        send("response.output_text.delta", {
          ...place,
          content_index: 0,
          delta: part.text,
        });
        send("response.output_text.done", {
          ...place,
          content_index: 0,
          text: part.text,
        });
        send("response.content_part.done", {
          ...place,
          content_index: 0,
          part,
        });
      } else {
        send("response.output_item.added", {
          output_index,
          item: { ...begun, arguments: "" },
        });
        send("response.function_call_arguments.delta", {
          ...place,
          delta: item.arguments,
        });
        send("response.function_call_arguments.done", {
          ...place,
          name: item.name,
          arguments: item.arguments,
        });
      }
      send("response.output_item.done", { output_index, item });
    });
    send("response.completed", { response: whole });
    response.end();
  },
};
