// A keychain of its own for a trial: a session bus and the Secret Service on it, as a desktop has them.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

const isHere = (program) =>
  spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;

/** `folder` keeps its files. Null where Debian's `dbus` or `gnome-keyring` is missing, or FENZI_KEYCHAIN=skip. */
export async function startKeychain(folder, env) {
  if (process.env["FENZI_KEYCHAIN"] === "skip") return null;
  if (!isHere("dbus-daemon") || !isHere("gnome-keyring-daemon")) return null;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = { ...env, HOME: folder, XDG_RUNTIME_DIR: folder };
  const bus = spawn(
    "dbus-daemon",
    ["--session", "--nofork", "--print-address"],
    {
      env: own,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const address = await firstLine(bus.stdout);
  const session = { DBUS_SESSION_BUS_ADDRESS: address };
  const service = spawn(
    "gnome-keyring-daemon",
    ["--unlock", "--foreground", "--components=secrets"],
    { env: { ...own, ...session }, stdio: ["pipe", "pipe", "ignore"] },
  );
  service.stdin.end("password");
  await firstLine(service.stdout);
  return {
    /** What finds it. */
    env: session,
    stop() {
      service.kill();
      // Removes its socket as well.
      bus.kill();
    },
  };
}

/** The first line, or what came before the end. */
const firstLine = (stream) =>
  new Promise((resolve) => {
    let text = "";
    stream.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.split("\n")[0]);
    });
    stream.on("end", () => resolve(text));
  });
