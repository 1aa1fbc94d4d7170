import type { Period } from "./budget.ts";

/** One counter: the amount that may be spent in one window. */
export type Counter = {
  /** Names the server, the tool and the budget; meters with the same key share the counter. */
  readonly key: string;
  readonly per: Exclude<Period, "call">;
  readonly limit: number;
};

/** The share of a counter that one call has: held while the call is open, spent afterwards. */
export type Hold = {
  readonly counter: Counter;
  /** Number of the window that the share is in. */
  window: number;
  amount: number;
  isSpent: boolean;
  /** Unique within the store that made it. */
  readonly id: number;
};

/** How a hold is resized: `isForced` ignores the limit, `isSpent` spends the amount instead of holding it. */
export type Resizing = { readonly isForced: boolean; readonly isSpent: boolean };

/**
 * Where counters are kept. At any time the spent and held amounts of a counter together are at most its limit,
 * unless some were forced. Amounts are tokens or calls, times are wall-clock milliseconds. Once a window has
 * begun, an earlier one never becomes current again, even when the clocks of the store's users differ.
 */
export type CounterStore = {
  /** Reserves `amount` in the current window; undefined when it exceeds the limit and is not forced. */
  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined;
  /**
   * Changes a hold to `amount` and moves it to the current window. Returns false and changes nothing when that
   * exceeds the limit and is not forced.
   */
  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): boolean;
  /** Spends `amount` in the window of the hold. Settling again corrects the amount. */
  settle(hold: Hold, amount: number): void;
  /** Gives back everything, spent amounts included. */
  release(hold: Hold): void;
  /** Amount that is spent and held in the current window. */
  taken(counter: Counter, nowMs: number): number;
};

const windowMs: { readonly [per in Counter["per"]]: number } = {
  session: Infinity,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** Number of the window that contains `nowMs`. Windows begin on the full minute, hour and UTC day. */
export function windowAt(per: Counter["per"], nowMs: number): number {
  return per === "session" ? 0 : Math.floor(nowMs / windowMs[per]);
}

/** When the next window begins, in wall-clock ms; Infinity for a session. */
export function refillAt(per: Counter["per"], nowMs: number): number {
  return per === "session" ? Infinity : (windowAt(per, nowMs) + 1) * windowMs[per];
}
