import { quotedCharactersMax } from "../limits.ts";

/** How JSON writes `source` again: a number changes beyond 2^53, beyond a double's digits, and when not finite (`null`). Undefined when it is the same. */
export function changedNumber(source: string, value: number): string | undefined {
  const sent = JSON.stringify(value);
  const written = decimalIn(source);
  // Hexadecimal and other notations of YAML.
  const isExact =
    written === undefined
      ? Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
      : written === decimalIn(sent);
  return isExact ? undefined : sent;
}

export function describeChange(source: string, value: number): string | undefined {
  const sent = changedNumber(source, value);
  if (sent === undefined) return undefined;
  const isLong = source.length > quotedCharactersMax;
  const shown = isLong ? `${source.slice(0, quotedCharactersMax)}…` : source;
  const advice = sent === "null" ? "JSON has no such number" : "write it in quotes, as text";
  return `the number ${shown} would be sent as ${sent}; ${advice}`;
}

const notation = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

function decimalIn(text: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = notation.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  if (digits === "") return undefined;
  let [first, end] = [0, digits.length];
  while (digits[first] === "0") first += 1;
  while (end > first && digits[end - 1] === "0") end -= 1;
  if (first === end) return "0";
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign === "-" ? "-" : ""}${digits.slice(first, end)}e${power}`;
}
