import { formatFigure } from "./format.ts";
import type { Verdict } from "./measurement.ts";
import type { Unit } from "./unit.ts";

/** Passed when `value` is `limit` or less; NaN never passes. */
export function atMost(what: string, value: number, limit: number, unit: Unit): Verdict {
  return { ...describe(`${what} ≤`, value, limit, unit), passed: value <= limit };
}

/** Passed when `value` is `limit` or more; NaN never passes. */
export function atLeast(what: string, value: number, limit: number, unit: Unit): Verdict {
  return { ...describe(`${what} ≥`, value, limit, unit), passed: value >= limit };
}

/** Passed when `value` is strictly below `limit`; NaN never passes. */
export function under(what: string, value: number, limit: number, unit: Unit): Verdict {
  return { ...describe(`${what} <`, value, limit, unit), passed: value < limit };
}

/** Passed when a count is exactly what was expected. */
export function exactly(what: string, value: number, expected: number): Verdict {
  return { ...describe(`${what} =`, value, expected, ""), passed: value === expected };
}

/** The same as a wish: a miss is printed and fails no run. */
export function stretch(verdict: Verdict): Verdict {
  return { ...verdict, goal: `stretch: ${verdict.goal}`, isStretch: true };
}

/** Whether a run fails because of it. */
export function isMissed({ passed, isStretch }: Verdict): boolean {
  return !passed && isStretch !== true;
}

function describe(
  condition: string,
  value: number,
  limit: number,
  unit: Unit,
): Pick<Verdict, "goal" | "measured"> {
  return {
    goal: `${condition} ${formatFigure({ value: limit, unit })}`,
    measured: formatFigure({ value, unit }),
  };
}
