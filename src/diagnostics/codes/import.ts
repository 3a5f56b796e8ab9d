// Codes for reading other tools' files.
import { define } from "./define.ts";

export const importCodes = {
  "import/nothing-found": define<Record<never, never>>(
    "error",
    () => "no file of another tool was found here; name one",
    "`fenzi mcp import` without a file looks for `.mcp.json`, `.cursor/mcp.json`, `.vscode/mcp.json` and their kin in the project.",
  ),
};
