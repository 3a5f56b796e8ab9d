// The import table of ARCHITECTURE.md as data. A table that cannot be read is an error, never an empty one.

export interface Row {
  /** A folder or a file, relative to the root. */
  readonly folder: string;
  readonly pure: boolean;
  readonly may: readonly {
    readonly folder: string;
    readonly typesOnly: boolean;
  }[];
}

/** The table under "What may import what". */
export function importTable(page: string): readonly Row[] {
  const part = /^## What may import what\n(.*?)^## /ms.exec(page)?.[1] ?? "";
  const lines = part.split("\n").filter((line) => line.startsWith("|"));
  const rows = lines.slice(2).map(row);
  if (rows.length === 0) throw new Error("ARCHITECTURE.md has no import table");
  return rows;
}

function row(line: string): Row {
  const [folder, kind, may] = line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
  const name = /^`([^`]+)`$/.exec(folder ?? "")?.[1];
  if (
    name === undefined ||
    (kind !== "pure" && kind !== "") ||
    may === undefined
  )
    throw new Error(`ARCHITECTURE.md: this row cannot be read: ${line}`);
  return {
    folder: name,
    pure: kind === "pure",
    may: may === "–" ? [] : may.split(", ").map(permission),
  };
}

function permission(text: string): Row["may"][number] {
  const [, folder, types] = /^`([^`]+)`( \(types\))?$/.exec(text) ?? [];
  if (folder === undefined)
    throw new Error(`ARCHITECTURE.md: this cell cannot be read: ${text}`);
  return { folder, typesOnly: types !== undefined };
}
