// Which variable brings the model's key: XAI_API_KEY, or what the settings say about the model that they choose.
import { memberAt } from "../../src/format/member.ts";
import type { Json } from "../../src/model/model.ts";

export function modelKeys(settings: Json): readonly string[] {
  const chosen = memberAt(settings, "models", "default");
  const model =
    typeof chosen === "string"
      ? memberAt(settings, "model", chosen)
      : undefined;
  const names = memberAt(model, "env_key");
  // Of several names Grok takes the first that is set.
  if (typeof names === "string") return [names];
  if (Array.isArray(names))
    return names.filter((name) => typeof name === "string").slice(0, 1);
  return memberAt(model, "api_key") === undefined ? ["XAI_API_KEY"] : [];
}
