// Prompts, one of which asks back, and the completion of their arguments.
import { acceptedContent, inputRequired } from "@modelcontextprotocol/server";
import { form, image, resource, takes, text } from "./content.mjs";

const STRING = { type: "string" };
const messages = (...content) => ({
  messages: content.map((part) => ({ role: "user", content: part })),
});

export function addPrompts(server) {
  server.registerPrompt("test_simple_prompt", { description: "A text" }, () =>
    messages(text("This is a simple prompt for testing.")),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "A text made from two arguments",
      argsSchema: takes({ arg1: STRING, arg2: STRING }),
    },
    ({ arg1, arg2 }) =>
      messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      description: "A resource and a text",
      argsSchema: takes({ resourceUri: STRING }),
    },
    ({ resourceUri }) =>
      messages(
        resource(
          resourceUri,
          "text/plain",
          "Embedded resource content for testing.",
        ),
        text("Please process the embedded resource above."),
      ),
  );
  server.registerPrompt(
    "test_prompt_with_image",
    { description: "An image and a text" },
    () => messages(image, text("Please analyze the image above.")),
  );
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for context" },
    ({ mcpReq }) => {
      const context = acceptedContent(
        mcpReq.inputResponses,
        "user_context",
      )?.context;
      return typeof context === "string"
        ? messages(text(`Context: ${context}`))
        : inputRequired({
            inputRequests: {
              user_context: inputRequired.elicit({
                message: "What context should the prompt use?",
                requestedSchema: form({ context: STRING }),
              }),
            },
          });
    },
  );
  server.server.setRequestHandler("completion/complete", ({ params }) => {
    const values = ["paris", "park", "party"].filter((value) =>
      value.startsWith(params.argument.value),
    );
    return { completion: { values, total: values.length, hasMore: false } };
  });
}
