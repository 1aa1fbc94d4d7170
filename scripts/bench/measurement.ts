/** What every benchmark returns: numbers with their units, and the goals they met. */
import type { Plot } from "./plots/plot.ts";
import type { Unit } from "./unit.ts";

/** One number with its unit. */
export type Figure = {
  readonly value: number;
  readonly unit: Unit;
};

/** The figures of one contestant, in the order of the columns. */
type Row = {
  readonly contestant: string;
  readonly figures: readonly Figure[];
};

/** One line of the load table: what was promised, what was measured. */
export type Verdict = {
  readonly goal: string;
  readonly measured: string;
  readonly passed: boolean;
  /** Wished for, not promised: it is printed, and no run fails because of it. */
  readonly isStretch?: boolean;
};

/** One figure of the older executable and of the one under test. */
export type Comparison = {
  readonly what: string;
  readonly older: Figure;
  readonly newer: Figure;
  /** Median of newer / older over the rounds: what disturbed a round disturbed both. */
  readonly ratio: number;
};

export type Measurement = {
  /** The name that is typed to run it, such as `round-trip`. */
  readonly load: string;
  /** How much was run, such as `40 starts each, interleaved`. */
  readonly caption: string;
  /** Headings of the figures; the contestant's own column is not among them. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly verdicts: readonly Verdict[];
  /** Absent where there is no older executable to compare with. */
  readonly comparisons?: readonly Comparison[];
  /** What its drawing shows; without it, the first column. */
  readonly plot?: Plot;
};
