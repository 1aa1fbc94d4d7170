import { formatCount } from "./numbers.ts";

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
