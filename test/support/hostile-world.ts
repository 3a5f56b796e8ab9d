// The guard before the server that means harm, for tests, and what must hold after each attack.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { guardWorlds, waitFor, type GuardedServer } from "./guard-world.ts";

const SERVER = fileURLToPath(
  new URL("../guard/hostile-server.mjs", import.meta.url),
);
export const TOKEN = "tok-9f27c1d48ab04e6f93d2";

export const worlds = guardWorlds();

export interface Hostile extends GuardedServer {
  /** What it left there. */
  note(name: string): string;
}

interface Options {
  readonly mode?: string;
  readonly isolation?: string;
  readonly tools?: unknown;
  readonly limits?: object;
}

/** A world whose project has it. */
export function worldWith({
  mode = "tools",
  tools = "all",
  limits = {},
  isolation = "none",
}: Options) {
  const folder = worlds.folder();
  const notes = join(folder, "notes");
  const hostile = {
    command: [process.execPath, SERVER, notes, mode],
    env: { API_TOKEN: "${API_TOKEN}" },
    limits: { call: "5s", response: "1MiB", ...limits },
    tools,
    isolation,
    paths: { read: ["**", dirname(SERVER)], write: ["**", `${notes}/**`] },
  };
  return {
    folder,
    notes,
    name: "hostile",
    project: { mcp: { hostile } },
    env: { API_TOKEN: TOKEN, AWS_SECRET_ACCESS_KEY: "not-for-servers" },
  };
}

export const openHostile = (options: Options = {}): Promise<Hostile> =>
  openIn(worldWith(options));

/** The guard before it, after the opening. */
export async function openIn(
  world: ReturnType<typeof worldWith>,
): Promise<Hostile> {
  const server = worlds.open(world);
  await server.initialize({ sampling: {}, elicitation: {}, roots: {} });
  return {
    ...server,
    note: (name) => {
      const path = join(world.notes, name);
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
  };
}

export const textsOf = ({
  result,
}: {
  result?: { content: { text: string }[] };
}) => result?.content.map(({ text }) => text);

/** It still answers, and everything that it ever said is a message for which somebody waits. */
export async function expectSound(server: Hostile): Promise<void> {
  expect(textsOf(await server.call("echo", { text: "sound" }))).toEqual([
    "sound",
  ]);
  for (const line of server.lines) {
    expect(line.includes("\r")).toBe(false);
    const message = JSON.parse(line) as Record<string, unknown>;
    expect(message["jsonrpc"]).toBe("2.0");
  }
  const answered = server.lines
    .map((line) => JSON.parse(line) as { id?: unknown })
    .flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(answered).toEqual([...new Set(answered)]);
}

export const expectLogged = (server: Hostile, row: object): Promise<void> =>
  waitFor(() =>
    expect(server.log()).toContainEqual(expect.objectContaining(row)),
  );
