// The vault against a real Secret Service: what the built program stores in one process, another one finds, under the
// same key and no other. Runs inside the session that `keychain-run.mjs` makes.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeHost } from "../../src/host/node-host.ts";
import { openKeychain } from "../../src/vault/keychain.ts";
import { accountOf, type VaultKey } from "../../src/vault/key.ts";
import { Secret } from "../../src/vault/secret.ts";
import { openVault } from "../../src/vault/vault.ts";
import { vaultContract } from "../contract/vault-contract.ts";

const ROOT = join(import.meta.dirname, "../..");
const { bin } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
) as { bin: { fenzi: string } };
const CLI = join(ROOT, bin.fenzi);
const URL = "https://mcp.linear.app/mcp";
const TOKEN = "lin-5f2d9c71e0";

const text = (token = "true", url = URL) =>
  `version: 1\nmcp:\n  linear:\n    url: ${url}\n    token: ${token}\n    tools: all\n`;

/** A project of its own, and the program in it. */
function project(source = text()) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-vault-")));
  mkdirSync(join(folder, ".git"));
  const write = (source: string) =>
    writeFileSync(join(folder, "fenzi.yaml"), source);
  write(source);
  const outputs: string[] = [];
  const fenzi = (
    args: readonly string[],
    input = "",
    env: Readonly<Record<string, string | undefined>> = {},
    session: readonly string[] = [],
  ) => {
    const [program = "", ...rest] = [
      ...session,
      process.execPath,
      CLI,
      ...args,
    ];
    const run = spawnSync(program, rest, {
      cwd: folder,
      input,
      encoding: "utf8",
      timeout: 50_000,
      env: { ...process.env, ...env },
    });
    outputs.push(run.stdout, run.stderr);
    return { exit: run.status, out: run.stdout, err: run.stderr };
  };
  const listed = (env: Readonly<Record<string, string | undefined>> = {}) => {
    const { servers } = JSON.parse(
      fenzi(["mcp", "list", "--json"], "", env).out,
    ) as {
      servers: readonly { token: string; store: string | null }[];
    };
    return `${servers[0]?.token} ${servers[0]?.store}`;
  };
  return { folder, write, fenzi, listed, outputs };
}

const store = (p: ReturnType<typeof project>) =>
  p.fenzi(["mcp", "token", "linear", "--stdin"], `${TOKEN}\n`);

/** Names of the kernel's keys that this user can see. */
const kernelKeys = () =>
  existsSync("/proc/keys") ? readFileSync("/proc/keys", "utf8") : "";

describe("a token", () => {
  test("is stored by one process and found by a second, until it is deleted", () => {
    const p = project();
    expect(p.listed()).toBe("missing null");
    expect(store(p)).toMatchObject({ exit: 0, err: "" });
    expect(p.listed()).toBe("stored keychain");
    expect(p.fenzi(["mcp", "token", "linear", "--delete"]).exit).toBe(0);
    expect(p.listed()).toBe("missing null");
    expect(p.fenzi(["mcp", "token", "linear", "--delete"])).toMatchObject({
      exit: 0,
      out: "nothing to delete: the keychain has no token of linear\n",
    });
    expect(p.outputs.join("")).not.toContain(TOKEN);
  });

  test("is not found for another URL, another header or another file", () => {
    const p = project();
    store(p);
    p.write(text("true", `${URL}/other`));
    expect(p.listed(), "another URL").toBe("missing null");
    p.write(text("{ header: X-Api-Key }"));
    expect(p.listed(), "another header").toBe("missing null");
    p.write(text());
    const copy = project();
    cpSync(join(p.folder, "fenzi.yaml"), join(copy.folder, "fenzi.yaml"));
    expect(copy.listed(), "another file").toBe("missing null");
    expect(p.listed()).toBe("stored keychain");
    store(copy);
    p.fenzi(["mcp", "token", "linear", "--delete"]);
    expect(copy.listed(), "a second token").toBe("stored keychain");
  });

  test("of CI comes before that of the keychain, with its URL only", () => {
    const p = project();
    store(p);
    const variable = { FENZI_VAULT_LINEAR: "ci-token" };
    expect(p.listed(variable)).toBe("stored keychain");
    expect(
      p.listed({ ...variable, FENZI_VAULT_LINEAR_URL: "https://a.example/" }),
    ).toBe("stored keychain");
    expect(p.listed({ ...variable, FENZI_VAULT_LINEAR_URL: URL })).toBe(
      "stored environment",
    );
  });

  test("is taken from a person only at a terminal", () => {
    const run = project().fenzi(["mcp", "token", "linear"], TOKEN);
    expect(run.exit).toBe(1);
    expect(run.err).toContain("[vault/needs-terminal]");
  });
});

describe("without a keychain", () => {
  test.each<[string, Readonly<Record<string, string | undefined>>]>([
    [
      "no bus",
      { DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined },
    ],
    [
      "nobody at the bus's address",
      { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
    ],
  ])("%s: nothing is left behind, and the variable is named", (_, env) => {
    const p = project();
    const run = p.fenzi(["mcp", "token", "linear", "--stdin"], TOKEN, env);
    expect(run.exit).toBe(3);
    expect(run.err).toContain("FENZI_VAULT_LINEAR");
    expect(run.err).toContain(`FENZI_VAULT_LINEAR_URL=${URL}`);
    expect(p.listed(env)).toBe("missing null");
    expect(p.listed()).toBe("missing null");
    expect(kernelKeys()).not.toContain("fenzi");
    expect(p.outputs.join("")).not.toContain(TOKEN);
  });

  test("a bus without a keychain program: the same", () => {
    const folder = mkdtempSync(join(tmpdir(), "fenzi-bus-"));
    const config = join(folder, "session.conf");
    writeFileSync(
      config,
      `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
    );
    const p = project();
    const session = ["dbus-run-session", "--config-file", config, "--"];
    const run = p.fenzi(
      ["mcp", "token", "linear", "--stdin"],
      TOKEN,
      {},
      session,
    );
    expect(run.exit).toBe(3);
    expect(run.err).toContain(
      "no keychain program (Secret Service) runs in this session",
    );
    expect(kernelKeys()).not.toContain("fenzi");
  });
});

describe("a locked keychain", () => {
  test("is seen by the list without a dialog, and keeps nothing new", () => {
    const p = project();
    store(p);
    const home = mkdtempSync(join(tmpdir(), "fenzi-locked-"));
    cpSync(join(process.env["HOME"] ?? "", ".local"), join(home, ".local"), {
      recursive: true,
    });
    const locked = { HOME: home, XDG_RUNTIME_DIR: home };
    const session = [
      "dbus-run-session",
      "--",
      "sh",
      "-c",
      'gnome-keyring-daemon --start --components=secrets >/dev/null && "$@"',
      "sh",
    ];
    const listed = p.fenzi(["mcp", "list"], "", locked, session);
    expect(listed.out).toContain("token stored (keychain)");
    expect(listed.err).not.toContain("SystemPrompter");
    const set = p.fenzi(
      ["mcp", "token", "linear", "--stdin"],
      "other-token",
      locked,
      session,
    );
    expect(set.exit).toBe(3);
    expect(set.err).toContain("[vault/not-stored]");
    expect(set.err).toContain("FENZI_VAULT_LINEAR");
    // The bus logs that it looked for the dialog: a person was asked, and had no screen.
    expect(set.err).toContain("SystemPrompter");
    const gone = p.fenzi(
      ["mcp", "token", "linear", "--delete"],
      "",
      locked,
      session,
    );
    expect(gone.exit).toBe(3);
    expect(gone.err).toContain("[vault/not-deleted]");
    expect(p.listed()).toBe("stored keychain");
  });
});

const key: VaultKey = {
  name: "linear",
  url: URL,
  header: "Authorization",
  file: "/home/you/contract/fenzi.yaml",
  machine: false,
};

vaultContract("a server, from the keychain", async () => {
  const vault = openVault(nodeHost());
  expect(await vault.set(key, new Secret(key.name, TOKEN))).toEqual([]);
  return {
    vault,
    key,
    token: TOKEN,
    store: "keychain",
    others: {
      "another name": { ...key, name: "linear2" },
      "another URL": { ...key, url: `${URL}/other` },
      "another header": { ...key, header: "X-Api-Key" },
      "another file": { ...key, file: "/home/you/other/fenzi.yaml" },
    },
  };
});

test("what a second process cannot read is taken out again", async () => {
  const host = nodeHost();
  const keychain = openKeychain(host);
  const blind = {
    ...host,
    env: { ...host.env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
  };
  const fresh = { ...key, file: "/home/you/unread/fenzi.yaml" };
  const problems = await openVault(blind, keychain).set(
    fresh,
    new Secret("linear", TOKEN),
  );
  expect(problems.map((d) => d.code)).toEqual(["vault/not-stored"]);
  expect(problems[0]?.message).toContain(
    "a second process cannot read it back",
  );
  expect(problems[0]?.help).toContain("FENZI_VAULT_LINEAR");
  expect(await keychain.look(accountOf(fresh))).toBe("absent");
});
