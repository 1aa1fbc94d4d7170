import { findChangedNumber } from "#kit/text/numbers.ts";

type ReadNumber = (source: string, value: number) => unknown;

export function parseJson(text: string, readNumber: ReadNumber): unknown {
  return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? readNumber(context?.source ?? "", value) : value,
  );
}

// A number that parsing would change becomes a symbol, which equals nothing. Throws SyntaxError.
export function parseExactly(text: string): unknown {
  return parseJson(text, (source, value) => (isExact(source, value) ? value : Symbol(source)));
}

// Decimal digits that are enough to identify every double.
const doubleDigits = 17;

function isExact(source: string, value: number): boolean {
  if (findChangedNumber(source, value) === undefined) return true;
  if (Number.isInteger(value) || !Number.isFinite(value)) return false;
  const [digits = ""] = source.split(/e/i);
  return digits.replaceAll(/^-?[0.]+|[-.]/g, "").length <= doubleDigits;
}

// Encloses the number of a symbol in a text, from which `writeExactly` removes the quotes.
const mark = "\u0000";

const markedNumber = /"\\u0000([-+.\deE]+)\\u0000"/g;

export function writeExactly(value: unknown, write: (value: unknown) => string): string {
  return write(markSymbols(value)).replaceAll(markedNumber, "$1");
}

function markSymbols(value: unknown): unknown {
  if (typeof value === "symbol") return `${mark}${value.description ?? ""}${mark}`;
  if (Array.isArray(value)) return value.map(markSymbols);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, markSymbols(member)]),
  );
}
