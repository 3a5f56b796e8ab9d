// Every code once, with severity, typed parameters, words and an explanation. The entries lie in `codes/`, one file an
// area; `report` is the only way to make a diagnostic.
import { blankSecrets } from "../match/blank-secrets.ts";
import type { Diagnostic, Note, Severity, Span } from "./diagnostic.ts";
import { applyCodes } from "./codes/apply.ts";
import { editCodes } from "./codes/edit.ts";
import { emitCodes } from "./codes/emit.ts";
import { fileCodes } from "./codes/file.ts";
import { gatewayCodes } from "./codes/gateway.ts";
import { guardCodes } from "./codes/guard.ts";
import { importCodes } from "./codes/import.ts";
import { isolationCodes } from "./codes/isolation.ts";
import { mergeCodes } from "./codes/merge.ts";
import { pinCodes } from "./codes/pin.ts";
import { serverCodes } from "./codes/server.ts";
import { sourceCodes } from "./codes/source.ts";
import { stateCodes } from "./codes/state.ts";
import { toolCodes } from "./codes/tool.ts";
import { vaultCodes } from "./codes/vault.ts";

export const catalog = {
  ...fileCodes,
  ...sourceCodes,
  ...serverCodes,
  ...toolCodes,
  ...mergeCodes,
  ...emitCodes,
  ...editCodes,
  ...importCodes,
  ...isolationCodes,
  ...stateCodes,
  ...vaultCodes,
  ...gatewayCodes,
  ...applyCodes,
  ...guardCodes,
  ...pinCodes,
};

export type Code = keyof typeof catalog;
type Params<C extends Code> = Parameters<(typeof catalog)[C]["message"]>[0];

interface Extra {
  readonly at?: Span | null;
  readonly notes?: readonly Note[];
  readonly help?: string | null;
  /** Only to lower or raise what the catalogue says, as a flag of the command line asks. */
  readonly severity?: Severity;
}

/** Makes a diagnostic from the catalogue. */
export function report<C extends Code>(
  code: C,
  params: Params<C>,
  extra: Extra = {},
): Diagnostic {
  const entry = catalog[code];
  // The union of message functions takes the intersection of their parameters; `Params<C>` is the one that fits.
  const message = (entry.message as (p: Params<C>) => string)(params);
  // Messages quote what people wrote, and so do notes and help: no secret gets into any of them.
  return {
    code,
    severity: extra.severity ?? entry.severity,
    message: blankSecrets(message),
    at: extra.at ?? null,
    notes: (extra.notes ?? []).map((note) => ({
      ...note,
      message: blankSecrets(note.message),
    })),
    help: typeof extra.help === "string" ? blankSecrets(extra.help) : null,
  };
}

export const isCode = (text: string): text is Code =>
  Object.hasOwn(catalog, text);
