export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

export function formatShare(share: number): string {
  return `${formatSignificant(share * 100)}%`;
}

export function formatMilliseconds(ms: number): string {
  return formatSignificant(ms);
}

export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  return `${seconds < 1000 ? Number(seconds.toPrecision(3)) : formatCount(seconds)} s`;
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

export function formatSeconds(seconds: number): string {
  if (seconds < 120) return pluralize(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? pluralize(minutes, "minute") : pluralize(Math.ceil(minutes / 60), "hour");
}

function formatSignificant(number: number): string {
  const tenths = number.toFixed(1);
  return Number(tenths) < 10 ? tenths : formatCount(number);
}

const leastDollars = 0.0001;

function formatDollars(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < leastDollars) return `<$${leastDollars}`;
  const rounded = Number(dollars.toPrecision(2));
  if (rounded >= 10) return `$${formatCount(rounded)}`;
  return `$${rounded.toFixed(Math.max(1, 1 - Math.floor(Math.log10(rounded))))}`;
}

export function formatDollarRange({ low, high }: { low: number; high: number }): string {
  const to = formatDollars(high);
  if (formatDollars(low) === to) return high < leastDollars ? to : `~${to}`;
  const from = low < leastDollars ? "$0" : formatDollars(low);
  return `~${from}–${to.slice(1)}`;
}

const exponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6 };

export function parseAmount(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // Parsed as one literal: 1.1 * 1e6 is not a whole number, but 1.1e6 is.
  const amount = Number(`${digits}e${exponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const unitMs: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

export function parseAge(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitMs[unit] ?? 0);
}

const byteExponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6, g: 9, t: 12 };

export function parseByteSize(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kmgt]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // Parsed as one literal: 1.1 * 1e6 is not a whole number, but 1.1e6 is.
  const bytes = Number(`${digits}e${byteExponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
