import { type Period, periods, type Unit } from "./budget.ts";

// As when another meter was stopped for an hour.
const clockAheadMaxMs = 3_600_000;

export type Counter = {
  /** Names the server, the tool and the budget; meters with the same key share the counter. */
  readonly key: string;
  readonly per: Exclude<Period, "call">;
  readonly limit: number;
};

export type Hold = {
  readonly counter: Counter;
  window: number;
  amount: number;
  isSpent: boolean;
  readonly id: number;
};

export type Resizing = { readonly isForced: boolean; readonly isSpent: boolean };

export type Need = {
  readonly counter: Counter;
  readonly hold: Hold | undefined;
  readonly amount: number;
  readonly isSpent: boolean;
};

export type Standing = {
  readonly spent: number;
  readonly held: number;
  readonly taken: number;
  /** False when the store cannot be reached and its policy allows no call meanwhile. */
  readonly isReachable: boolean;
};

export function localStanding(spent: number, held: number): Standing {
  return { spent, held, taken: spent + held, isReachable: true };
}

/**
 * Where counters are kept. At any time the spent and held amounts of a counter together are at most its limit,
 * unless some were forced. Amounts are tokens or calls, times are wall-clock milliseconds. Which window is
 * current follows `currentWindow`.
 */
export type CounterStore = {
  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined;
  /** Changes a hold to `amount` and moves it to the current window. Returns false and changes nothing when that exceeds the limit and is not forced. */
  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): boolean;
  /** Spends `amount` in the window of the hold. Settling again corrects the amount. */
  settle(hold: Hold, amount: number): void;
  release(hold: Hold): void;
  standing(counter: Counter, nowMs: number): Standing;
  /**
   * Only of a store that cannot answer at once: it grants nothing that it was not asked for. True when the answer has to be
   * waited for; the store reports it, and then asking again is false: `hold` and `resize` decide whether there is room.
   */
  readonly ask?: (need: Need, nowMs: number) => boolean;
};

const dayMs = 86_400_000;

const windowMs = { minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs };

/** The first Monday after the beginning of time, which was a Thursday. */
const mondayMs = 4 * dayMs;

/** Number of the window that contains `nowMs`. Windows begin on the full minute, hour, day, Monday and first of the month, in UTC. */
export function windowAt(per: Counter["per"], nowMs: number): number {
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
export function refillAt(per: Counter["per"], nowMs: number): number {
  const next = windowAt(per, nowMs) + 1;
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

export type CurrentWindow = { readonly window: number; readonly isKept: boolean };

/**
 * The current window of a counter whose amounts are of window `last`; undefined for a new counter. A window that
 * has begun stays current when clocks differ or one is set back. But a window that is more than one window and
 * `clockAheadMaxMs` ahead was begun by a clock that was wrong: its amounts move to the window of `nowMs`, so that
 * they expire with it.
 */
export function currentWindow(
  per: Counter["per"],
  last: number | undefined,
  nowMs: number,
): CurrentWindow {
  const window = windowAt(per, nowMs);
  if (last === undefined || last < window) return { window, isKept: false };
  const isCredible = last <= windowAt(per, nowMs + clockAheadMaxMs) + 1;
  return { window: isCredible ? last : window, isKept: true };
}

export type StoredCounter = {
  readonly key: string;
  readonly per: string;
  readonly limit: number;
  readonly window: number;
  readonly spent: number;
  readonly held: number;
};

export type CounterStatus = {
  /** Null for all servers together. */
  readonly server: string | null;
  readonly tool: string | null;
  /** Tools the budget is written for; null for the server as a whole. */
  readonly pattern: string | null;
  readonly limit: number;
  readonly unit: Unit;
  readonly per: Counter["per"];
  readonly action: string;
  readonly spent: number;
  readonly held: number;
  readonly left: number;
  /** When it is full again: ISO 8601, UTC. */
  readonly refills_at: string;
};

/** A counter is full again once its window has passed. `names` are those of servers in records, by the owner of their counters. Undefined for a foreign key. */
export function counterStatus(
  stored: StoredCounter,
  nowMs: number,
  names: ReadonlyMap<string, string> = new Map(),
): CounterStatus | undefined {
  const named = parseKey(stored.key);
  const per = periods.find((period) => period === stored.per);
  if (!named || per === undefined || per === "call" || per === "session") return undefined;
  // A clock that runs ahead of this one has begun the next window already.
  const isCurrent = stored.window >= windowAt(per, nowMs);
  const [spent, held] = isCurrent ? [stored.spent, stored.held] : [0, 0];
  const left = Math.max(0, stored.limit - spent - held);
  const refillsAt = new Date(refillAt(per, nowMs)).toISOString();
  const server = named.server === null ? null : (names.get(named.server) ?? named.server);
  return { ...named, server, limit: stored.limit, per, spent, held, left, refills_at: refillsAt };
}

function parseKey(
  key: string,
): Pick<CounterStatus, "server" | "tool" | "pattern" | "unit" | "action"> | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [server, tool, pattern, unit, , action]: readonly unknown[] = parts;
  if ((server !== null && typeof server !== "string") || typeof action !== "string")
    return undefined;
  if (unit !== "tokens" && unit !== "calls") return undefined;
  return { server, tool: textOrNull(tool), pattern: textOrNull(pattern), unit, action };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
