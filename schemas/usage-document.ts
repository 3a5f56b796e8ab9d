// What any command prints with `--json` when its command line cannot be understood.
import * as z from "zod";
import { documentMembers } from "./diagnostic-document.ts";

export const usageDocument = z
  .strictObject(documentMembers)
  .describe(
    "What a command prints with `--json` when its command line cannot be understood (exit code 2).",
  );
