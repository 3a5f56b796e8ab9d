// What runs code or sets rules outside the isolation: it lies in the project, and a server that may write there must not
// change it, nor make it where there is none. Pure.

interface ProtectedPath {
  /** Relative to the project or the repository. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /**
   * What stands in it while it is only there to be shut: what other programs take for nothing. Null where it is shut only
   * when it is there: of Fenzi's own files a new one adds nothing until it is trusted.
   */
  readonly empty: string | null;
}

const file = (path: string, empty: string | null = ""): ProtectedPath => ({
  path,
  kind: "file",
  empty,
});
const folder = (path: string): ProtectedPath => ({
  path,
  kind: "folder",
  empty: "",
});

export const PROTECTED: readonly ProtectedPath[] = [
  file("fenzi.yaml", null),
  file("fenzi.lock", null),
  file(".fenziignore", null),
  file(".mcp.json", '{ "mcpServers": {} }\n'),
  file("opencode.json", "{}\n"),
  file("opencode.jsonc", "{}\n"),
  file(".envrc"),
  file(".claude/settings.json", "{}\n"),
  file(".claude/settings.local.json", "{}\n"),
  folder(".codex"),
  folder(".grok"),
  folder(".cursor"),
  folder(".opencode"),
  folder(".vscode"),
  folder(".idea"),
];

/** Only where there is a `.git` folder; a `.git` that is a file is shut as a whole. */
export const PROTECTED_GIT: readonly ProtectedPath[] = [
  file(".git/config"),
  file(".git/config.worktree"),
  // A repository whose settings lie elsewhere; "." is what holds without it.
  file(".git/commondir", ".\n"),
  folder(".git/hooks"),
  folder(".git/modules"),
  folder(".git/worktrees"),
];
