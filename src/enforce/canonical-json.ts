// JSON text in one canonical form (RFC 8785): members sorted by name, no blanks, one spelling of each string and number.
// Two texts have the same form exactly when they mean the same, so that a hash of it pins the meaning. Beyond the RFC,
// a number that no double holds keeps its digits: two of them must not fall together.
import { scanJson, type JsonNode } from "./json-scan.ts";

/** Deeper or larger texts have no form; nothing that may be shown is. */
const LIMITS = { depth: 128, members: 100_000, keep: 128, nodes: 1_000_000 };

/** The canonical form of JSON text, or null when it is no JSON, nested too deep, or has a member twice. */
export function canonicalJson(text: string): string | null {
  const scan = scanJson(text, LIMITS);
  return "problem" in scan ? null : formOf(text, scan.root);
}

function formOf(text: string, node: JsonNode): string {
  const source = text.slice(node.start, node.end);
  switch (node.kind) {
    case "object":
      return `{${[...(node.members ?? [])]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(
          ({ name, value }) => `${JSON.stringify(name)}:${formOf(text, value)}`,
        )
        .join(",")}}`;
    case "array":
      return `[${(node.items ?? []).map((item) => formOf(text, item)).join(",")}]`;
    case "string":
      return JSON.stringify(JSON.parse(source));
    case "number":
      return numberForm(source);
    case "word":
      return source;
  }
}

/** As ECMAScript prints it when that is the very number; otherwise its digits and exponent. */
function numberForm(source: string): string {
  const printed = JSON.stringify(Number(source));
  const exact = decimal(source);
  return exact === decimal(printed) ? printed : exact;
}

/** Sign, digits without zeros around them, and the exponent of the last digit. */
function decimal(source: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  const exponent =
    BigInt(power) - BigInt(fraction.length - (digits.length - kept.length));
  return `${sign}${kept}e${exponent}`;
}
