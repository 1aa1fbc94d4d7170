import type { BucketRow, ViewRows } from "../view.ts";

export type Stack = {
  readonly labels: readonly string[];
  readonly tokens: readonly (readonly number[])[]; // by series, then by column
  readonly sums: readonly (readonly number[])[]; // tokens, plus those of all series below
  readonly totals: readonly number[];
  // Tokens by series, including buckets without a column (from a wrong clock, or beyond `daysMax`).
  readonly bySeries: readonly number[];
};

// `first` and `last` are days such as `2026-11-22`, or null for the day of the first or last bucket.
export type StackSpan =
  | { readonly bucket: "hour" }
  | { readonly bucket: "day"; readonly first: string | null; readonly last: string | null };

export function stackBuckets(
  buckets: ViewRows<BucketRow>,
  series: readonly string[],
  span: StackSpan,
): Stack {
  const labels = span.bucket === "hour" ? hourLabels : listDays(buckets, span);
  const columnByLabel = new Map(labels.map((label, index) => [label, index]));
  const tokens = series.map(() => labels.map(() => 0));
  const bySeries = series.map(() => 0);
  for (const row of Object.values(buckets)) {
    for (const index of bySeries.keys())
      bySeries[index] = (bySeries[index] ?? 0) + (row.tokens[index] ?? 0);
    const column = columnByLabel.get(row.label);
    if (column === undefined) continue;
    for (const [index, numbers] of tokens.entries()) {
      // When clocks are turned back, two hours share a label.
      numbers[column] = (numbers[column] ?? 0) + (row.tokens[index] ?? 0);
    }
  }
  let below: readonly number[] = labels.map(() => 0);
  const sums = tokens.map((numbers) => {
    below = numbers.map((number, index) => number + (below[index] ?? 0));
    return below;
  });
  return { labels, tokens, sums, totals: below, bySeries };
}

const hourLabels = Array.from(
  { length: 24 },
  (_, bucketHour) => `${String(bucketHour).padStart(2, "0")}:00`,
);

const dayMs = 86_400_000;

const daysMax = 400;

function listDays(
  buckets: ViewRows<BucketRow>,
  { first, last }: Extract<StackSpan, { readonly bucket: "day" }>,
): string[] {
  const labels = Object.values(buckets)
    .map(({ label }) => label)
    .toSorted();
  const from = Date.parse(first ?? labels[0] ?? "");
  const to = Date.parse(last ?? labels.at(-1) ?? "");
  if (Number.isNaN(from) || Number.isNaN(to)) return labels;
  const days = Math.min(daysMax, Math.round((to - from) / dayMs) + 1);
  return Array.from({ length: Math.max(0, days) }, (_, index) =>
    new Date(to - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

export function findHighestColumn({ totals }: Stack): number | undefined {
  const max = Math.max(0, ...totals);
  return max === 0 ? undefined : totals.indexOf(max);
}

type BarSegment = { readonly index: number; readonly x: number; readonly width: number };

export function splitBar(values: readonly number[], width: number): BarSegment[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  let x = 0;
  return values.flatMap((value, index) => {
    if (value <= 0) return [];
    const segment = { index, x, width: (value / total) * width };
    x += segment.width;
    return [segment];
  });
}
