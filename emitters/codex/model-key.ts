// Which variable brings the model's key. With a fresh home `codex exec` takes CODEX_API_KEY (not OPENAI_API_KEY); a provider of
// the settings' own takes the variable that it names.
import { memberAt } from "../../src/format/member.ts";
import type { Json } from "../../src/model/model.ts";

export function modelKeys(settings: Json): readonly string[] {
  const provider = settings["model_provider"];
  if (typeof provider !== "string" || provider === "openai")
    return ["CODEX_API_KEY"];
  const key = memberAt(settings, "model_providers", provider, "env_key");
  return typeof key === "string" ? [key] : [];
}
