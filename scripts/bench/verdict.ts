import { formatFigure } from "./format.ts";
import type { Figure, Unit, Verdict } from "./measurement.ts";

/** Passed when `value` is `limit` or less; NaN never passes. */
export function atMost(what: string, value: number, limit: number, unit: Unit): Verdict {
  return compared(`${what} ≤`, { value, unit }, { value: limit, unit }, value <= limit);
}

/** Passed when `value` is `limit` or more; NaN never passes. */
export function atLeast(what: string, value: number, limit: number, unit: Unit): Verdict {
  return compared(`${what} ≥`, { value, unit }, { value: limit, unit }, value >= limit);
}

/** Passed when `value` is strictly under `limit`; NaN never passes. */
export function under(what: string, value: number, limit: number, unit: Unit): Verdict {
  return compared(`${what} <`, { value, unit }, { value: limit, unit }, value < limit);
}

/** A count that must be exactly what was expected. */
export function exactly(what: string, value: number, expected: number): Verdict {
  const unit = "";
  return compared(`${what} =`, { value, unit }, { value: expected, unit }, value === expected);
}

/** Passed when one of two goals is: "within 50 µs, or no worse than the Node pipe". */
export function either(first: Verdict, second: Verdict): Verdict {
  return {
    goal: `${first.goal}, or ${second.goal}`,
    seen: `${first.seen}, ${second.seen}`,
    passed: first.passed || second.passed,
  };
}

function compared(statement: string, seen: Figure, limit: Figure, passed: boolean): Verdict {
  return { goal: `${statement} ${formatFigure(limit)}`, seen: formatFigure(seen), passed };
}
