// Codes for tokens and where they are stored.
import { define, quote } from "./define.ts";
import { visible } from "../visible.ts";

export const vaultCodes = {
  "vault/no-keychain": define<{ reason: string }>(
    "error",
    (p) => `there is no keychain for the token: ${visible(p.reason)}`,
    "Tokens are stored in the keychain of the operating system: Secret Service (gnome-keyring, KWallet, KeePassXC) on Linux, Keychain on macOS, Credential Manager on Windows. Without one nothing is stored anywhere. In CI give the token as `FENZI_VAULT_<NAME>`, for a server of a project together with `FENZI_VAULT_<NAME>_URL`.",
  ),
  "vault/not-stored": define<{ reason: string }>(
    "error",
    (p) => `the keychain did not keep the token: ${visible(p.reason)}`,
    "A token counts as stored when a second process can read it back. It could not, or the keychain refused it (it is locked, or its dialog was closed), so what was written has been taken out again. Unlock the keychain and try again, or give the token as `FENZI_VAULT_<NAME>`.",
  ),
  "vault/not-deleted": define<{ reason: string }>(
    "error",
    (p) => `the keychain did not give up the token: ${visible(p.reason)}`,
    "The token is still in the keychain. Unlock the keychain and try again, or remove the entry of the service `fenzi` in the keychain's own program.",
  ),
  "vault/variable-ignored": define<{ variable: string; reason: string }>(
    "warning",
    (p) => `the token in ${quote(p.variable)} is not used: ${p.reason}`,
    "A repository can change the URL of a server that its `fenzi.yaml` defines, so a token from the environment counts for it only when `FENZI_VAULT_<NAME>_URL` is set to the server's URL as well. For a server of the machine file the second variable may be absent; when it is set it must agree.",
  ),
  "vault/bad-token": define<{ reason: string }>(
    "error",
    (p) => `the token ${p.reason}`,
    "A token is sent as the value of a header, so it is one line of visible ASCII characters. It is stored as it is, without `Bearer`.",
  ),
  "vault/no-token": define<{ name: string }>(
    "error",
    (p) => `${quote(p.name)} uses no token`,
    "Only a server with `url` and `token: true` (or `token: { header: NAME }`) in the file that defines it is sent a token. Add that line first: a token that nothing uses is not stored.",
  ),
  "vault/needs-terminal": define<{ command: string }>(
    "error",
    (p) => `${quote(p.command)} needs a terminal, or \`--stdin\``,
    "A token is typed into a hidden prompt or read from standard input. It is never an argument: arguments can be seen by every process.",
  ),
};
