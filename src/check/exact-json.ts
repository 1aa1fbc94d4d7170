import { findChangedNumber } from "#kit/text/difference.ts";

type Replace = (source: string, value: number) => unknown;

export function parseNumbers(text: string, replace: Replace): unknown {
  return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? replace(context?.source ?? "", value) : value,
  );
}

// Numbers that reading would change are symbols, equal to nothing. Throws SyntaxError.
export function parseExactly(text: string): unknown {
  return parseNumbers(text, (source, value) => (isExact(source, value) ? value : Symbol(source)));
}

// Enough to identify every double.
const doubleDigits = 17;

function isExact(source: string, value: number): boolean {
  if (findChangedNumber(source, value) === undefined) return true;
  if (Number.isInteger(value) || !Number.isFinite(value)) return false;
  const [digits = ""] = source.split(/e/i);
  return digits.replaceAll(/^-?[0.]+|[-.]/g, "").length <= doubleDigits;
}

const mark = "\u0000";

const marked = /"\\u0000([-+.\deE]+)\\u0000"/g;

export function writeExactly(value: unknown, write: (value: unknown) => string): string {
  return write(withTexts(value)).replaceAll(marked, "$1");
}

function withTexts(value: unknown): unknown {
  if (typeof value === "symbol") return `${mark}${value.description ?? ""}${mark}`;
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTexts(member)]),
  );
}
