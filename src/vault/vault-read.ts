// A program of its own, started by `read-back.ts`: is this text in the keychain? It learns the account and a hash on
// standard input and answers with its exit code, so that the token passes through no argument, variable or output.
import { text } from "node:stream/consumers";
import { Entry } from "@napi-rs/keyring";
import { ENTRY_OPTIONS, SERVICE } from "./keychain.ts";
import { sha256 } from "../sha256.ts";

const question = JSON.parse(await text(process.stdin)) as {
  readonly account: string;
  readonly hash: string;
};
const found = new Entry(SERVICE, question.account, ENTRY_OPTIONS).getPassword();
const same = found !== null && sha256(found) === question.hash;
process.exitCode = same ? 0 : 1;
