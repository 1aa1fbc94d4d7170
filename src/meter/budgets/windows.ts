import type { Period } from "./budget.ts";

export type CounterPeriod = Exclude<Period, "call">;

const clockAheadMaxMs = 3_600_000;

const dayMs = 86_400_000;

const windowMs = { minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs };

// The first Monday after the epoch, which began on a Thursday.
const mondayMs = 4 * dayMs;

// A window starts when a minute, hour, day, week or month starts in UTC. Weeks start on Monday.
// `find_window` in `counter.lua` computes the same number.
export function computeWindow(per: CounterPeriod, nowMs: number): number {
  switch (per) {
    case "session":
      return 0;
    case "week":
      return Math.floor((nowMs - mondayMs) / windowMs.week);
    case "month": {
      const now = new Date(nowMs);
      return now.getUTCFullYear() * 12 + now.getUTCMonth();
    }
    default:
      return Math.floor(nowMs / windowMs[per]);
  }
}

/** When the next window begins, in wall-clock ms; Infinity for a session. */
export function computeRefill(per: CounterPeriod, nowMs: number): number {
  const next = computeWindow(per, nowMs) + 1;
  switch (per) {
    case "session":
      return Infinity;
    case "week":
      return next * windowMs.week + mondayMs;
    case "month":
      return Date.UTC(Math.floor(next / 12), next % 12);
    default:
      return next * windowMs[per];
  }
}

// `keepsAmounts` is true if the stored amounts count in `window`.
export type CurrentWindow = { readonly window: number; readonly keepsAmounts: boolean };

/**
 * A window that has begun stays current when clocks are set back. A window too far ahead was begun by
 * a wrong clock: the amounts in that window move to the window of `nowMs`.
 */
export function findCurrentWindow(
  per: CounterPeriod,
  last: number | undefined,
  nowMs: number,
): CurrentWindow {
  const window = computeWindow(per, nowMs);
  if (last === undefined || last < window) return { window, keepsAmounts: false };
  const isCredible = last <= computeWindow(per, nowMs + clockAheadMaxMs) + 1;
  return { window: isCredible ? last : window, keepsAmounts: true };
}
