// Which variable brings the model's key: OpenCode takes it from the provider that the model's name begins with.
import type { Json, JsonValue } from "../../src/model/model.ts";

const KEYS: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  groq: "GROQ_API_KEY",
  mistral: "MISTRAL_API_KEY",
  opencode: "OPENCODE_API_KEY",
  openai: "OPENAI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  xai: "XAI_API_KEY",
};

/** None for a provider that is not known here, or whose key stands in the settings. */
export function modelKeys(settings: Json): readonly string[] {
  const { model } = settings;
  const provider =
    typeof model === "string" ? (model.split("/")[0] ?? "") : "anthropic";
  const given = member(
    member(member(settings["provider"], provider), "options"),
    "apiKey",
  );
  const key = Object.hasOwn(KEYS, provider) ? KEYS[provider] : undefined;
  return key === undefined || given !== undefined ? [] : [key];
}

const member = (
  value: JsonValue | undefined,
  key: string,
): JsonValue | undefined =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  Object.hasOwn(value, key)
    ? (value as Json)[key]
    : undefined;
