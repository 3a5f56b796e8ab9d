// What a person sees of a gateway in front of an example's server: its ready line, a refusal and the log. The port, the key
// and the time are other ones in every run; here they are always the same.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HeardSignal, Host } from "../../src/host/host.ts";
import { main } from "../../src/main.ts";
import { call, post, rpc } from "../gateway/client.ts";
import {
  answerWith,
  fakeServer,
  OK_RESULT,
  type Respond,
} from "../gateway/fake-server.ts";
import { until } from "../gateway/until.ts";
import { rootedHost } from "./rooted-host.ts";
import { ROOT } from "./source-imports.ts";

export interface GatewayShown {
  readonly ready: string;
  readonly refusal: string;
  readonly logs: string;
}

const FOLDER = "examples/gateway";
const HOME = "/home/you";
const PROJECT = "/home/you/app";
const AT = Date.parse("2026-11-30T13:33:48.000Z");
const SECOND = 1_000;
/** The port of the example's server, and the one that the gateway shows. */
const [SERVER_PORT, GATEWAY_PORT] = ["8123", "40123"];

const TOOLS = ["read_note", "find_all", "find_private"].map((name) => ({
  name,
  inputSchema: { type: "object" },
}));
const notes: Respond = (received, res) =>
  answerWith(
    received.message?.method === "tools/list" ? { tools: TOOLS } : OK_RESULT,
  )(received, res);

let shown: Promise<GatewayShown> | null = null;

/** Run once for all blocks of all pages. */
export const showGateway = (): Promise<GatewayShown> => (shown ??= show());

async function show(): Promise<GatewayShown> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-gateway-")));
  const server = await fakeServer(notes);
  const { port } = new URL(server.url);
  const file = join(root, PROJECT, "fenzi.yaml");
  const text = readFileSync(join(ROOT, FOLDER, "fenzi.yaml"), "utf8");
  const write = (yaml: string) =>
    writeFileSync(file, yaml.replace(SERVER_PORT, port));
  let signal: (name: HeardSignal) => void = () => {};
  let now = AT;
  const open = () => {
    const made = rootedHost({
      root,
      home: HOME,
      cwd: PROJECT,
      env: {
        FENZI_VAULT_NOTES: "tok-5d1f0c77a2b94e63",
        FENZI_VAULT_NOTES_URL: server.url,
      },
      tty: false,
      stdin: "",
      answers: [],
    });
    const host: Host = {
      ...made.host,
      pid: 4711,
      now: () => now,
      onSignal(listen) {
        signal = listen;
        return () => {};
      },
    };
    return { ...made, host };
  };
  try {
    mkdirSync(join(root, PROJECT), { recursive: true, mode: 0o700 });
    write(text);
    const running = open();
    const exit = main(["gateway", "--trust", "--agent", "codex"], running.host);
    await until(() => running.stdout() !== "");
    const ready = JSON.parse(running.stdout()) as {
      servers: { notes: { url: string } };
    };
    const config = readFileSync(
      join(root, HOME, ".local/state/fenzi/gateway/4711/codex/config.toml"),
      "utf8",
    );
    const agent = /http:[^"]*notes/.exec(config)?.[0] ?? "";
    const { url } = ready.servers.notes;
    const same = (words: string): string =>
      words
        .replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${SERVER_PORT}`)
        .replaceAll(
          `127.0.0.1:${new URL(url).port}`,
          `127.0.0.1:${GATEWAY_PORT}`,
        )
        .replace(/\/[\w-]{43}\//g, "/KEY/");
    await post(agent, rpc("tools/list"));
    now += 2 * SECOND;
    await post(agent, call("read_note", { id: 7 }));
    now += 5 * SECOND;
    const refused = await post(agent, call("find_private", { text: "x" }));
    now += 11 * SECOND;
    write(text.replace(', "find_*"', ""));
    signal("SIGHUP");
    await until(() => running.stderr().includes("read again"));
    now += SECOND;
    await post(agent, call("find_all", { text: "x" }));
    signal("SIGTERM");
    await exit;
    const reading = open();
    await main(["logs"], reading.host);
    return {
      ready: same(JSON.stringify(ready, null, 2)),
      refusal: `HTTP/1.1 ${refused.status}\n\n${same(JSON.stringify(refused.json, null, 2))}`,
      logs: same(reading.stdout()),
    };
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}
