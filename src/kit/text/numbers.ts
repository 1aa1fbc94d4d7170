import { quotedCharactersMax } from "../limits.ts";

export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

export function formatInteger(count: number): string {
  return count < 0 ? `−${formatCount(-count)}` : formatCount(count);
}

export const countScales = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

// From 10,000 on, only three digits: "18.4k".
export function formatCompact(count: number): string {
  if (Math.abs(count) < 10_000) return formatInteger(count);
  const [size, unit] = countScales.find(([step]) => Math.abs(count) >= step * 0.9995) ?? [1, ""];
  const scaled = count / size;
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(scaled) + 1e-9)));
  return `${count < 0 ? "−" : ""}${Number(Math.abs(scaled).toFixed(digits))}${unit}`;
}

export function formatShare(share: number): string {
  return `${formatSignificant(share * 100)}%`;
}

export function formatSmallShare(share: number): string {
  return share > 0 && share < 0.0005 ? "<0.1%" : formatShare(share);
}

// Larger growth is easier to read as a factor than as a percentage.
const growthSharesMax = 10;

/** As `↑ 12%`, `↓ 3.4%`, `=` or `↑ 109 ×`. */
export function formatChange(change: number): string {
  const share = formatShare(Math.abs(change));
  if (share === formatShare(0)) return "=";
  return change < 0 ? `↓ ${share}` : `↑ ${formatGrowth(change) ?? share}`;
}

/** As `109 ×`. */
export function formatGrowth(change: number): string | undefined {
  return change < growthSharesMax ? undefined : `${formatCount(change + 1)} ×`;
}

export function pluralize(count: number, noun: string): string {
  const ending = count === 1 ? "" : noun.endsWith("ch") ? "es" : "s";
  return `${formatCount(count)} ${noun}${ending}`;
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < byteUnits.length - 1; unit += 1) size /= 1000;
  return `${unit === 0 ? formatCount(size) : formatSignificant(size)} ${byteUnits[unit] ?? ""}`;
}

export function formatSignificant(number: number): string {
  const tenths = number.toFixed(1);
  return Number(tenths) < 10 ? tenths : formatCount(number);
}

const shownDollarsMin = 0.0001;

function formatDollars(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < shownDollarsMin) return `<$${shownDollarsMin}`;
  const rounded = Number(dollars.toPrecision(2));
  if (rounded >= 10) return `$${formatCount(rounded)}`;
  return `$${rounded.toFixed(Math.max(1, 1 - Math.floor(Math.log10(rounded))))}`;
}

export function formatDollarRange({ low, high }: { low: number; high: number }): string {
  const to = formatDollars(high);
  if (formatDollars(low) === to) return high < shownDollarsMin ? to : `~${to}`;
  const from = low < shownDollarsMin ? "$0" : formatDollars(low);
  return `~${from}–${to.slice(1)}`;
}

export function parseAmount(text: string): number | undefined {
  return parseScaled(/^(\d+(?:\.\d+)?)([km]?)$/i.exec(text));
}

export function parseByteSize(text: string): number | undefined {
  return parseScaled(/^(\d+(?:\.\d+)?)([kmgt]?)b?$/i.exec(text));
}

const exponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6, g: 9, t: 12 };

function parseScaled(match: RegExpExecArray | null): number | undefined {
  const [, digits, suffix = ""] = match ?? [];
  if (digits === undefined) return undefined;
  // Parsed as one literal: 4.1 * 1e6 is not a whole number, but 4.1e6 is.
  const number = Number(`${digits}e${exponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function findChangedNumber(source: string, value: number): string | undefined {
  const sent = JSON.stringify(value);
  const written = normalizeDecimal(source);
  const isExact =
    written === undefined
      ? Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
      : written === normalizeDecimal(sent);
  return isExact ? undefined : sent;
}

export function describeNumberChange(source: string, value: number): string | undefined {
  const sent = findChangedNumber(source, value);
  if (sent === undefined) return undefined;
  const isLong = source.length > quotedCharactersMax;
  const shown = isLong ? `${source.slice(0, quotedCharactersMax)}…` : source;
  const advice = sent === "null" ? "it cannot be sent as a number" : "write it in quotes, as text";
  return `the number ${shown} would become ${sent}; ${advice}`;
}

const decimalNotation = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

function normalizeDecimal(text: string): string | undefined {
  const [, sign = "", integer = "", fraction = "", exponent = "0"] =
    decimalNotation.exec(text) ?? [];
  const digits = `${integer}${fraction}`;
  if (digits === "") return undefined;
  let [first, end] = [0, digits.length];
  while (digits[first] === "0") first += 1;
  while (end > first && digits[end - 1] === "0") end -= 1;
  if (first === end) return "0";
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign === "-" ? "-" : ""}${digits.slice(first, end)}e${power}`;
}

/** Bisects: `fits` must be true up to some number and false beyond it. `min` is assumed to fit. */
export function findLargest(
  max: number,
  fits: (count: number) => boolean,
  min: number = 0,
): number {
  let [low, high] = [min, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function sumBy<Item>(
  items: readonly Item[],
  measure: (item: Item, index: number) => number,
): number {
  return items.reduce((total, item, index) => total + measure(item, index), 0);
}

export function addUp(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
