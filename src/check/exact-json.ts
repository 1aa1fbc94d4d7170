import { changedNumber } from "#text/exact-number.ts";

/** Gives the value that stands for a number of JSON text, which `source` writes. */
type Replace = (source: string, value: number) => unknown;

/** The value of a JSON text, each of its numbers replaced. Throws SyntaxError for any other text. */
export function parseNumbers(text: string, replace: Replace): unknown {
  return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? replace(context?.source ?? "", value) : value,
  );
}

/**
 * The value of a JSON text, for comparison: a number that reading it would change is a symbol with the number as it is written,
 * which equals nothing. A fraction of up to 17 digits is read: that many say which double is meant. Throws SyntaxError for any
 * other text.
 */
export function parseExactly(text: string): unknown {
  return parseNumbers(text, (source, value) => (isMeant(source, value) ? value : Symbol(source)));
}

/** Digits that identify every double. */
const doubleDigits = 17;

function isMeant(source: string, value: number): boolean {
  if (changedNumber(source, value) === undefined) return true;
  if (Number.isInteger(value) || !Number.isFinite(value)) return false;
  const [digits = ""] = source.split(/e/i);
  return digits.replaceAll(/^-?[0.]+|[-.]/g, "").length <= doubleDigits;
}

/** Marks the place of a symbol in JSON. */
const mark = "\u0000";

const marked = /"\\u0000([-+.\deE]+)\\u0000"/g;

/** JSON in which symbols of `parseExactly` are the numbers that they stand for. `write` writes JSON of a value without symbols. */
export function writeExactly(value: unknown, write: (value: unknown) => string): string {
  return write(withTexts(value)).replaceAll(marked, "$1");
}

function withTexts(value: unknown): unknown {
  if (typeof value === "symbol") return `${mark}${value.description ?? ""}${mark}`;
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one)]));
}
