// Codes for one server entry: name, transport, URL, headers, references, secrets.
import { define, quote } from "./define.ts";

export const serverCodes = {
  "server/name": define<{ name: string; reason: string }>(
    "error",
    (p) => `the server name ${quote(p.name)} ${p.reason}`,
    "A server's name becomes part of tool names, file names and variables in every agent. It starts with a letter, has letters, digits and single `-` or `_` between them, and at most 40 characters.",
  ),
  "server/reserved-name": define<{ name: string }>(
    "error",
    (p) => `the server name ${quote(p.name)} is reserved by an agent`,
    "`workspace`, `claude-in-chrome`, `computer-use` and `codex_apps` are names that an agent keeps for itself and skips in its configuration without a word.",
  ),
  "server/two-transports": define<{ name: string }>(
    "error",
    (p) => `${quote(p.name)} has both \`url\` and \`command\``,
    "A server is either reached at a `url` or started with a `command`. Keep one.",
  ),
  "server/wrong-transport": define<{ key: string; needs: string }>(
    "error",
    (p) =>
      `${quote(p.key)} goes with ${quote(p.needs)}, which this server does not have`,
    "`headers` and `token` belong to a server with `url`; `env`, `cwd` and `isolation` belong to one with `command`.",
  ),
  "server/url": define<{ reason: string }>(
    "error",
    (p) => `the URL ${p.reason}`,
    "A URL must be written as browsers and agents would serialise it, so that all of them reach the same server: `https` (or `http` to this machine), no user or password, no fragment, no dot segments, no odd spelling of an address. In the machine file it may also be `unix:/ABSOLUTE.sock#/PATH` or `pipe:///\\\\.\\pipe\\NAME#/PATH`, with the path of the requests behind `#`.",
  ),
  "server/url-secret": define<{ where: string }>(
    "error",
    (p) => `the URL holds what looks like a secret, in ${p.where}`,
    "URLs end up in logs, in lists and in every agent's file. Use `token: true`, which keeps the value in the keychain.",
  ),
  "server/url-reference": define<Record<never, never>>(
    "error",
    () => "a URL cannot hold a `${NAME}` reference",
    "Where a server is must be readable in the file: a variable could send the token elsewhere.",
  ),
  "server/command-empty": define<Record<never, never>>(
    "error",
    () =>
      "`command` must have at least one word, and the first must not be empty",
    "`command` is the program and its arguments, as a list: `[npx, -y, some-server]`.",
  ),
  "server/reference": define<{ text: string; reason: string }>(
    "error",
    (p) => `${quote(p.text)} ${p.reason}`,
    "A reference is `${NAME}` with a name of letters, digits and `_`. There are no defaults: a default hides that the variable is missing. A literal dollar sign before a brace is written `$$`.",
  ),
  "server/limit": define<{ key: string; text: string; example: string }>(
    "error",
    (p) =>
      `${quote(p.key)} cannot be ${quote(p.text)}; write a whole number and a unit, such as ${p.example}`,
    "Times are written with `ms`, `s` or `min`, sizes with `B`, `KiB` or `MiB`, without a blank: `30s`, `500ms`, `8MiB`.",
  ),
  "server/limit-range": define<{ key: string; least: string; most: string }>(
    "error",
    (p) => `${quote(p.key)} must lie between ${p.least} and ${p.most}`,
    "A limit that is too small refuses every call, and one that is too large bounds nothing: `limits.call` lies between 100ms and 60min, `limits.request` between 1KiB and 64MiB, `limits.response` between 1KiB and 256MiB.",
  ),
  "server/rate": define<{ text: string }>(
    "error",
    (p) =>
      `\`limits.rate\` cannot be ${quote(p.text)}; write a number of calls and a time, such as \`60/min\``,
    "A rate is a whole number of calls, 1 to 10000, and `s`, `min` or `h`: `2/s`, `60/min`, `500/h`. It counts the calls of all clients together.",
  ),
  "server/path-rule": define<{ rule: string; reason: string }>(
    "error",
    (p) => `the glob ${quote(p.rule)} ${p.reason}`,
    "A glob is a path with `/` between its segments: `*` is any run of characters within one, `**` any number of them, dot files included. It is relative to the folder of its file, or absolute (`/srv/data/**`), or in your home (`~/notes/**`).",
  ),
  "server/host-rule": define<{ rule: string; reason: string }>(
    "error",
    (p) => `the host ${quote(p.rule)} ${p.reason}`,
    "A host is a name (`api.example.com`), an address, or `*.example.com` for all names below one. Ports are listed under `hosts.ports`.",
  ),
  "server/port": define<{ port: number }>(
    "error",
    (p) => `${quote(String(p.port))} is not a port`,
    "A port is a whole number between 1 and 65535.",
  ),
  "secrets/expression": define<{ reason: string }>(
    "error",
    (p) => `the expression cannot be used: ${p.reason}`,
    "Expressions under `secrets` are those of RE2: no look-around and no back references, so that no text can make them slow. One that matches the empty text would match everything.",
  ),
  "server/env-name": define<{ name: string }>(
    "error",
    (p) => `${quote(p.name)} is not a name of an environment variable`,
    "Names of environment variables have letters, digits and `_`, and do not start with a digit.",
  ),
  "server/header-name": define<{ name: string; reason: string }>(
    "error",
    (p) => `the header ${quote(p.name)} ${p.reason}`,
    "Header names are RFC 9110 tokens. Headers that frame or route a request are set by the client itself; `Authorization` is set from the stored token: write `token: true`.",
  ),
  "server/header-value": define<{ name: string }>(
    "error",
    (p) =>
      `the value of the header ${quote(p.name)} has a character that RFC 9110 does not allow`,
    "Header values hold visible characters, with blanks and tabs only between them: no line breaks, no control characters, nothing beyond U+00FF.",
  ),
  "server/secret": define<{ key: string; reference: string }>(
    "error",
    (p) => `${quote(p.key)} holds what looks like a secret`,
    "Secrets do not belong into a file that goes into git or is read by an agent. Put the value into an environment variable and write `${NAME}`, or for a remote server `token: true`. If it is not a secret, write `# fenzi: not a secret` at the end of the line.",
  ),
  "server/token-in-file": define<Record<never, never>>(
    "error",
    () => "`token` never holds the token itself",
    "`token: true` says that a token is stored for the server outside this file. The token goes into the keychain with `fenzi mcp token NAME`. If a token was written here and committed, revoke it.",
  ),
  "server/cwd": define<{ path: string }>(
    "error",
    (p) => `${quote(p.path)} is not an absolute path`,
    "`cwd` is the folder in which the command starts, as an absolute path; in the machine file also `project`. Without it a project's server starts in the folder of its `fenzi.yaml`, a machine's in an empty folder of its own.",
  ),
  "server/image": define<{ image: string }>(
    "error",
    (p) => `${quote(p.image)} is not the name of an image`,
    "`isolation.image` is the name of a container image, with a tag or a digest if need be: `docker.io/mcp/fetch:1.0`. It has no blanks and does not begin with `-`.",
  ),
  "server/system-socket": define<Record<never, never>>(
    "error",
    () =>
      "`allowSystemSocket` goes with a `unix:` address, which this server does not have",
    "`allowSystemSocket: true` lets the gateway use a socket that belongs to root or another user. It means nothing for another address.",
  ),
  "server/no-tools": define<{ name: string }>(
    "warning",
    (p) => `${quote(p.name)} lists no tools, so none is allowed`,
    "A remote server gets only the tools that are listed. Write `tools: { allow: [NAME, …] }`, or `tools: all` for everything it offers now and later.",
  ),
};
