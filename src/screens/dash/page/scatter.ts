import type { HistogramRow, ToolView, ViewRows } from "../view.ts";
import { compact, durationText } from "./format.ts";
import { decadeTicks, logPlace, px, type Tick } from "./scales.ts";
import { lookOf, type CallLook } from "./timeline.ts";

type Point = ToolView["tables"]["points"][string];

export type Scatter = {
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Dots of no length, which a round line cap draws. */
  readonly paths: Readonly<Partial<Record<CallLook, string>>>;
  readonly x: (tokens: number) => number;
  readonly y: (ms: number) => number;
};

export function layScatter(points: ViewRows<Point>, width: number, height: number): Scatter {
  const all = Object.values(points);
  const tokens = all.map((point) => point.total_tokens);
  const times = all.map((point) => point.duration_ms);
  const xTicks = decadeTicks(Math.min(...tokens), Math.max(1, ...tokens), compact);
  const yTicks = decadeTicks(Math.min(...times), Math.max(1, ...times), durationText);
  const x = (value: number): number => logPlace(value, xTicks) * width;
  const y = (ms: number): number => height - logPlace(ms, yTicks) * height;
  const paths: Partial<Record<CallLook, string>> = {};
  for (const { total_tokens: size, duration_ms: ms, outcome } of all) {
    const look = lookOf(outcome);
    paths[look] = `${paths[look] ?? ""}M${px(x(size))} ${px(y(ms))}h0`;
  }
  return { xTicks, yTicks, paths, x, y };
}

export type HistogramColumn = {
  readonly key: string;
  readonly row: HistogramRow;
  readonly share: number;
};

export function layHistogram(rows: ViewRows<HistogramRow>): HistogramColumn[] {
  const most = Math.max(1, ...Object.values(rows).map(({ calls }) => calls));
  return Object.entries(rows)
    .toSorted(([, one], [, other]) => one.from - other.from)
    .map(([key, row]) => ({ key, row, share: row.calls / most }));
}
