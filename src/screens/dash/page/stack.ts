import type { BucketRow, ViewRows } from "../view.ts";

export type Stack = {
  readonly labels: readonly string[];
  readonly tokens: readonly (readonly number[])[];
  readonly sums: readonly (readonly number[])[];
  readonly totals: readonly number[];
  /** Includes days beyond the columns: a clock may have been wrong. */
  readonly bySeries: readonly number[];
};

/** The hours of a day, or days such as `2026-11-22`; without a first day from the first bucket. */
export type StackSpan =
  | { readonly bucket: "hour" }
  | { readonly bucket: "day"; readonly first: string | null; readonly last: string | null };

export function stackBuckets(
  buckets: ViewRows<BucketRow>,
  series: readonly string[],
  span: StackSpan,
): Stack {
  const labels = span.bucket === "hour" ? hours : daysOf(buckets, span);
  const places = new Map(labels.map((label, at) => [label, at]));
  const tokens = series.map(() => labels.map(() => 0));
  const bySeries = series.map(() => 0);
  for (const row of Object.values(buckets)) {
    for (const at of bySeries.keys()) bySeries[at] = (bySeries[at] ?? 0) + (row.tokens[at] ?? 0);
    const column = places.get(row.label);
    if (column === undefined) continue;
    for (const [at, numbers] of tokens.entries()) {
      // Where clocks are turned back, two hours of a day have the same label.
      numbers[column] = (numbers[column] ?? 0) + (row.tokens[at] ?? 0);
    }
  }
  let below: readonly number[] = labels.map(() => 0);
  const sums = tokens.map((numbers) => {
    below = numbers.map((number, at) => number + (below[at] ?? 0));
    return below;
  });
  return { labels, tokens, sums, totals: below, bySeries };
}

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

const dayMs = 86_400_000;

const daysShown = 400;

function daysOf(
  buckets: ViewRows<BucketRow>,
  { first, last }: Extract<StackSpan, { readonly bucket: "day" }>,
): string[] {
  const labels = Object.values(buckets)
    .map(({ label }) => label)
    .toSorted();
  const from = Date.parse(first ?? labels[0] ?? "");
  const to = Date.parse(last ?? labels.at(-1) ?? "");
  if (Number.isNaN(from) || Number.isNaN(to)) return labels;
  const days = Math.min(daysShown, Math.round((to - from) / dayMs) + 1);
  return Array.from({ length: Math.max(0, days) }, (_, at) =>
    new Date(to - (days - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
}

export function highestColumn({ totals }: Stack): number | undefined {
  const most = Math.max(0, ...totals);
  return most === 0 ? undefined : totals.indexOf(most);
}

export type BarPart = { readonly index: number; readonly x: number; readonly width: number };

export function barParts(values: readonly number[], width: number): BarPart[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  let x = 0;
  return values.flatMap((value, index) => {
    if (value <= 0) return [];
    const part = { index, x, width: (value / total) * width };
    x += part.width;
    return [part];
  });
}
