// A written token counts when a second process can read it: some keychains answer the writer from a store that ends with
// its session.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Host } from "../host/host.ts";
import { vaultVariables } from "./environment.ts";
import type { Secret } from "./secret.ts";
import { sha256 } from "../sha256.ts";

const PATIENCE = 15_000;

/** The bundled `vault-read.ts`. A package may ask for itself by its own name, wherever in it the code lies. */
const reader = (): string =>
  join(
    dirname(createRequire(import.meta.url).resolve("fenzi/package.json")),
    "dist/vault-read.js",
  );

/** Null when a second process finds the secret, otherwise why not. */
export function readBack(
  host: Pick<Host, "env">,
  account: string,
  secret: Secret,
): Promise<string | null> {
  const hash = sha256(secret.reveal());
  const withheld = new Set(["NODE_OPTIONS", ...vaultVariables(host.env)]);
  const env = Object.fromEntries(
    Object.entries(host.env).filter(([name]) => !withheld.has(name)),
  );
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [reader()], {
      env,
      stdio: ["pipe", "ignore", "ignore"],
      timeout: PATIENCE,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) =>
      resolve(code === 0 ? null : "a second process cannot read it back"),
    );
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ account, hash }));
  });
}
