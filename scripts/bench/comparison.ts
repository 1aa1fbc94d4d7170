import type { Comparison, Verdict } from "./measurement.ts";
import type { Unit } from "./unit.ts";
import { median } from "./statistics.ts";
import { atMost } from "./verdict.ts";

/** A newer executable may be this much slower or larger, as a factor: two runs of one differ by as much. */
const ratioMax = 1.05;

/** Samples of one figure, round by round, of both executables. */
export type PairedSamples = {
  readonly what: string;
  readonly unit: Unit;
  readonly older: readonly number[];
  readonly newer: readonly number[];
};

/** Compares two executables by the median of their rounds. Throws an Error when a round is missing. */
export function compare({ what, unit, older, newer }: PairedSamples): Comparison {
  if (older.length !== newer.length) {
    throw new Error(`Cannot compare ${what}: ${older.length} rounds against ${newer.length}`);
  }
  const ratios = newer.map((value, round) => value / (older[round] ?? Number.NaN));
  return {
    what,
    older: { value: median(older), unit },
    newer: { value: median(newer), unit },
    ratio: median(ratios),
  };
}

/** Passed when the newer executable is no worse, beyond the noise of a run. */
export function notWorse({ what, ratio }: Comparison): Verdict {
  return atMost(`${what}, newer / older`, ratio, ratioMax, "×");
}
