// Tools that ask back: older clients are sent requests, newer ones get the questions as a result and call again with the
// answers.
import {
  acceptedContent,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { form, result, takes, text } from "./content.mjs";

const STRING = { type: "string" };

const askName = (message = "What is your name?") =>
  inputRequired.elicit({ message, requestedSchema: form({ name: STRING }) });
const askModel = (question, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: text(question) }],
    maxTokens,
  });
const confirm = () =>
  inputRequired.elicit({
    message: "Please confirm",
    requestedSchema: form({ ok: { type: "boolean" } }),
  });

const capabilities = (envelope) =>
  envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};

/** On the stream of the call: the client may not have opened the other one yet. */
const related = (mcpReq) => ({ relatedRequestId: mcpReq.id });

export function addAskingTools(server, state) {
  addOlder(server);
  addNewer(server, state);
}

/** They send a request to the client in the middle of the call. */
function addOlder(server) {
  server.registerTool(
    "test_sampling",
    { description: "Asks a model", inputSchema: takes({ prompt: STRING }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling(
        {
          messages: [{ role: "user", content: text(prompt) }],
          maxTokens: 100,
        },
        related(mcpReq),
      );
      return result(text(`LLM response: ${content.text}`));
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks a person", inputSchema: takes({ message: STRING }) },
    async ({ message }, { mcpReq }) =>
      result(
        text(
          `User response: ${JSON.stringify(
            await mcpReq.elicitInput(
              {
                message,
                requestedSchema: form({
                  username: { ...STRING, description: "User's response" },
                  email: { ...STRING, description: "User's email address" },
                }),
              },
              related(mcpReq),
            ),
          )}`,
        ),
      ),
  );
  const asksForm = (name, description, requestedSchema) =>
    server.registerTool(name, { description }, async ({ mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput(
        { message: description, requestedSchema },
        related(mcpReq),
      );
      return result(
        text(
          `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`,
        ),
      );
    });
  asksForm("test_elicitation_sep1034_defaults", "A form with defaults", {
    type: "object",
    properties: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: {
        type: "string",
        enum: ["active", "inactive", "pending"],
        default: "active",
      },
      verified: { type: "boolean", default: true },
    },
  });
  const options = ["option1", "option2", "option3"];
  const titled = ["First", "Second", "Third"].map((title, place) => ({
    const: `value${place + 1}`,
    title,
  }));
  asksForm("test_elicitation_sep1330_enums", "A form with choices", {
    type: "object",
    properties: {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: {
        type: "array",
        items: { type: "string", enum: options },
      },
      titledMulti: { type: "array", items: { anyOf: titled } },
    },
  });
}

/** They answer with what they need to know. */
function addNewer(server, state) {
  const add = (name, description, answer) =>
    server.registerTool(name, { description }, ({ mcpReq }) => answer(mcpReq));
  const prefix = "test_input_required_result";

  add(
    `${prefix}_elicitation`,
    "Asks for a name",
    ({ inputResponses: given }) => {
      const name = acceptedContent(given, "user_name")?.name;
      return typeof name === "string"
        ? result(text(`Hello, ${name}!`))
        : inputRequired({ inputRequests: { user_name: askName() } });
    },
  );
  add(
    `${prefix}_sampling`,
    "Asks a model for a capital",
    ({ inputResponses: given }) => {
      const answer = inputResponse(given, "capital_question");
      return answer.kind === "sampling"
        ? result(text(JSON.stringify(answer)))
        : inputRequired({
            inputRequests: {
              capital_question: askModel("What is the capital of France?", 100),
            },
          });
    },
  );
  add(
    `${prefix}_list_roots`,
    "Asks for folders",
    ({ inputResponses: given }) => {
      const answer = inputResponse(given, "client_roots");
      return answer.kind === "roots"
        ? result(text(JSON.stringify(answer.roots)))
        : inputRequired({
            inputRequests: { client_roots: inputRequired.listRoots() },
          });
    },
  );
  add(
    `${prefix}_multiple_inputs`,
    "Asks three questions at once",
    async ({ inputResponses: given }) =>
      ["user_name", "greeting", "client_roots"].every(
        (key) => inputResponse(given, key).kind !== "missing",
      )
        ? result(text(JSON.stringify(given)))
        : inputRequired({
            inputRequests: {
              user_name: askName(),
              greeting: askModel("Generate a greeting", 50),
              client_roots: inputRequired.listRoots(),
            },
            requestState: await state.mint({ step: 1 }),
          }),
  );
  add(
    `${prefix}_multi_round`,
    "Asks twice in turn",
    async ({ inputResponses: given, requestState }) => {
      const step = requestState()?.step ?? 0;
      if (step === 2 && acceptedContent(given, "step2") !== undefined)
        return result(text("Two answers."));
      const first = acceptedContent(given, "step1") === undefined;
      return first
        ? inputRequired({
            inputRequests: { step1: askName("Step 1: What is your name?") },
            requestState: await state.mint({ step: 1 }),
          })
        : inputRequired({
            inputRequests: {
              step2: inputRequired.elicit({
                message: "Step 2: What is your favorite color?",
                requestedSchema: form({ color: STRING }),
              }),
            },
            requestState: await state.mint({ step: 2 }),
          });
    },
  );
  for (const name of ["request_state", "tampered_state"])
    add(
      `${prefix}_${name}`,
      "Asks, and wants its state back as it was",
      async ({ inputResponses: given, requestState }) =>
        requestState() !== undefined && acceptedContent(given, "confirm")
          ? result(text("state-ok"))
          : inputRequired({
              inputRequests: { confirm: confirm() },
              requestState: await state.mint({ step: 1 }),
            }),
    );
  add(
    `${prefix}_capabilities`,
    "Asks only what the client can answer",
    ({ envelope }) => {
      const can = capabilities(envelope);
      return inputRequired({
        inputRequests: {
          ...(can.sampling ? { question: askModel("Say hello", 50) } : {}),
          ...(can.elicitation ? { user_name: askName() } : {}),
        },
      });
    },
  );

  // What the client did not say it can, the library refuses in the tool's stead.
  add("test_missing_capability", "Needs a client that has a model", () =>
    inputRequired({ inputRequests: { question: askModel("Say hello", 50) } }),
  );
  add(
    "test_streaming_elicitation",
    "Asks, if the client can answer",
    ({ envelope }) =>
      capabilities(envelope).elicitation
        ? inputRequired({ inputRequests: { user_name: askName() } })
        : result(text("Nobody to ask.")),
  );
}
