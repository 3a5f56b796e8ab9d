// Codes for starting a guard.
import { define, quote, serverHint } from "./define.ts";
import { visible } from "../visible.ts";

export const guardCodes = {
  "guard/unknown-server": define<{ name: string; nearest: string | null }>(
    "error",
    (p) => `there is no server ${quote(p.name)} here${serverHint(p.nearest)}`,
    "A guard stands before one server of the files that count in the current folder. `fenzi mcp list` shows which there are.",
  ),
  "guard/shut": define<{ reason: string }>(
    "error",
    (p) => `no call would be let through: ${p.reason}`,
    "The rules refuse every call of this server, so it is not started. It is switched off, or `airGap` is on and it is not on this machine.",
  ),
  "guard/no-tool": define<{ name: string }>(
    "error",
    (p) => `the rules leave no tool of ${quote(p.name)}`,
    "Every tool that one file allows is refused by it or by another, so there is no reason to start the server. Allow a tool, or switch the server off.",
  ),
  "guard/untrusted-folder": define<{ name: string }>(
    "error",
    (p) =>
      `${quote(p.name)} is a program of this machine, and is not started in a folder that is not trusted`,
    "A program that is started for a folder reads what lies in it. A cloned repository can hold files that make it do something else than its owner meant, so a person trusts the folder first: `fenzi trust`.",
  ),
  "guard/unset": define<{ name: string; variable: string }>(
    "error",
    (p) =>
      `the variable ${quote(p.variable)}, which ${quote(p.name)} refers to, is not set`,
    "References in `command` and `env` are replaced when the server is started. A missing variable would start another command than the one that is written. Set it where the agent is started.",
  ),
  "guard/secret-argument": define<{ name: string; variable: string }>(
    "error",
    (p) =>
      `the value of ${quote(p.variable)} is a secret, and would be an argument of ${quote(p.name)}`,
    "Every program on the machine can see the arguments of every other. A secret goes into `env`, which only the server gets.",
  ),
  "guard/no-program": define<{ program: string; reason: string }>(
    "error",
    (p) => `${quote(p.program)} cannot be started: ${visible(p.reason)}`,
    "A bare name is looked for in the folders of `PATH`, but not in those that are relative or lie inside the project: a repository must not bring the program that is started. A path is taken as it is; for a server of the machine it must be absolute. No shell is asked.",
  ),
  "guard/no-folder": define<{ path: string; reason: string }>(
    "error",
    (p) =>
      `the folder ${quote(p.path)}, in which the server would run, cannot be used: ${p.reason}`,
    "`cwd` names the folder that a server runs in. Without it a server of the project runs in the folder of its file, and a server of the machine in an empty one of its own.",
  ),
  "guard/no-token": define<{ name: string }>(
    "error",
    (p) => `no token is stored for ${quote(p.name)}`,
    "The file says that a token is stored for this server, and there is none. The server is sent nothing, rather than a request without a token.",
  ),
  "guard/server-ended": define<{ name: string; words: string }>(
    "error",
    (p) => `${quote(p.name)} ${visible(p.words)}`,
    "The server ended by itself while the agent still used it. What it wrote last is shown below, and `fenzi logs` has more.",
  ),
} as const;
