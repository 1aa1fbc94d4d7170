import type { Unit } from "../unit.ts";
import type { Point } from "../statistics.ts";

/** One bar a contestant. */
export type Bars = {
  readonly kind: "bars";
  readonly title: string;
  readonly unit: Unit;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
};

/** One line a contestant, over time. */
export type Lines = {
  readonly kind: "lines";
  readonly title: string;
  readonly unit: Unit;
  /** The unit of `x`, such as `seconds`. */
  readonly time: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
};

/** One row a contestant with a dot for each percentile, on a logarithmic scale. */
export type Percentiles = {
  readonly kind: "percentiles";
  readonly title: string;
  readonly unit: Unit;
  /** Such as `p50`; the same number of values is in each row. */
  readonly percentiles: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
};

/** What the drawing of a load shows. */
export type Plot = Bars | Lines | Percentiles;
