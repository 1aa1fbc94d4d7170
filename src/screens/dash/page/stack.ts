import type { BucketRow, ViewRows } from "../view.ts";
import { formatOffset, formatRound } from "./format.ts";

export type Stack = {
  readonly labels: readonly string[];
  readonly tokens: readonly (readonly number[])[]; // by series, then by column
  readonly sums: readonly (readonly number[])[]; // tokens, plus those of all series below
  readonly totals: readonly number[];
  // Includes buckets that have no column because a clock was wrong.
  readonly bySeries: readonly number[];
};

// Days look like `2026-11-22`; without `first`, the columns start at the first bucket.
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

export type Tick = { readonly value: number; readonly label: string };

export function makeCountTicks(max: number, count: number): Tick[] {
  if (max <= 0) return [];
  const stepMin = Math.max(1, max / Math.max(1, count));
  const magnitude = 10 ** Math.floor(Math.log10(stepMin));
  const step = magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= stepMin) ?? 10);
  const ticks: Tick[] = [];
  for (let value = 0; value <= max; value += step) ticks.push({ value, label: formatRound(value) });
  return ticks;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const timeSteps = [
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hourSteps) => hourSteps * hour),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * day),
];

export function makeTimeTicks(max: number, count: number): Tick[] {
  const stepMin = max / Math.max(1, count);
  const step = timeSteps.find((candidate) => candidate >= stepMin) ?? 90 * day;
  const ticks: Tick[] = [];
  for (let value = 0; value <= max && ticks.length < 100; value += step) {
    ticks.push({ value, label: formatOffset(value, max) });
  }
  return ticks;
}

export function formatPixels(value: number): string {
  return String(Math.round(value * 10) / 10);
}
