// A name for a server of which only the command is known.
import { fitName } from "./fit-name.ts";

/** Programs that start another. */
const RUNNERS =
  /^(?:npx|pnpx|bunx|uvx|uv|pipx|pnpm|yarn|npm|bun|node|deno|python[\d.]*|py|docker|podman|run|exec|dlx|tool)$/;

/** `npx -y @modelcontextprotocol/server-git@1.0.0 .` → `git`. */
export function nameOfCommand(command: readonly string[]): string {
  const words = command.map(
    (word) =>
      word
        .replace(/^@[^/]+\//, "")
        .split(/[\\/]/)
        .pop() ?? "",
  );
  const meant =
    words.find(
      (word) =>
        word !== "" &&
        !word.startsWith("-") &&
        !RUNNERS.test(word.replace(/\.exe$/, "")),
    ) ?? "";
  const plain = meant
    .replace(/@[^@]*$/, "")
    .replace(/\.(?:[cm]?[jt]s|py|exe|sh)$/, "")
    .replace(/^(?:mcp-)?server-|^mcp-/, "")
    .replace(/(?:-mcp)?-server$|-mcp$/, "");
  return fitName(plain);
}
