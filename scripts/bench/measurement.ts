/** What every benchmark hands back: numbers with their units, and which goals they met. */

export type Unit = "µs" | "ms" | "s" | "MB" | "MB/s" | "MB/min" | "/s" | "×" | "%" | "";

/** One number; MB is 10^6 bytes, `""` is a plain count. */
export interface Figure {
  readonly value: number;
  readonly unit: Unit;
}

/** The figures of one contestant, in the order of the columns. */
export interface Row {
  readonly contestant: string;
  readonly figures: readonly Figure[];
}

/** One line of the load table: what was promised, what was seen. */
export interface Verdict {
  readonly goal: string;
  readonly seen: string;
  readonly passed: boolean;
}

export interface Measurement {
  /** The name that is typed to run it, such as `round-trip`. */
  readonly load: string;
  /** How much was run, such as `40 starts each, interleaved`. */
  readonly caption: string;
  /** Headings of the figures; the contestant's own column is not among them. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly verdicts: readonly Verdict[];
}
