import type { Period } from "./budget.ts";

/** One counter: what may be spent of it in one window. */
export type Counter = {
  /** Who shares it; unique over budgets, tools and servers. */
  readonly key: string;
  readonly per: Exclude<Period, "call">;
  readonly limit: number;
};

/** Part of a counter that one call has: kept for it while it is open, spent on it afterwards. */
export type Hold = {
  readonly counter: Counter;
  window: number;
  amount: number;
  isSpent: boolean;
  readonly id: number;
};

/**
 * Where counters are kept. A ceiling at any time: spent and held together never exceed the limit, unless
 * forced. Amounts are tokens or calls, times are wall-clock milliseconds. A window that has begun never
 * gives way to an earlier one, whatever the clocks of its users say.
 */
export type CounterStore = {
  /** Keeps `amount` back; undefined when it does not fit and is not forced. */
  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined;
  /**
   * Changes what is held to `amount`, in the window of now, and spends it when `isSpent`; false, and
   * nothing changes, when it does not fit and is not forced.
   */
  resize(hold: Hold, amount: number, nowMs: number, isForced: boolean, isSpent?: boolean): boolean;
  /** Spends `amount` in the window of the hold, which ends; called again it corrects what was spent. */
  settle(hold: Hold, amount: number): void;
  /** Gives everything back, what was spent of it, too. */
  release(hold: Hold): void;
  /** Spent and held in the window of now. */
  taken(counter: Counter, nowMs: number): number;
};

const windowMs: { readonly [per in Counter["per"]]: number } = {
  session: Infinity,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** Number of the window that `nowMs` is in; windows begin on the full minute, hour and UTC day. */
export function windowAt(per: Counter["per"], nowMs: number): number {
  return per === "session" ? 0 : Math.floor(nowMs / windowMs[per]);
}

/** When the next window begins, in wall-clock ms; Infinity for a session. */
export function refillAt(per: Counter["per"], nowMs: number): number {
  return per === "session" ? Infinity : (windowAt(per, nowMs) + 1) * windowMs[per];
}

type Account = { window: number; spent: number; held: number };

/** Counters of this process. */
export class MemoryCounters implements CounterStore {
  readonly #accounts = new Map<string, Account>();
  #holds = 0;

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    const account = this.#account(counter, nowMs);
    const { window } = account;
    if (!isForced && account.spent + account.held + amount > counter.limit) return undefined;
    account.held += amount;
    this.#holds += 1;
    return { counter, window, amount, isSpent: false, id: this.#holds };
  }

  resize(hold: Hold, amount: number, nowMs: number, isForced: boolean, isSpent = false): boolean {
    const { counter } = hold;
    const account = this.#account(counter, nowMs);
    const own = account.window === hold.window ? hold.amount : 0;
    const others = account.spent + account.held - own;
    if (!isForced && others + amount > counter.limit) return false;
    account[hold.isSpent ? "spent" : "held"] -= own;
    account[isSpent ? "spent" : "held"] += amount;
    Object.assign(hold, { window: account.window, amount, isSpent });
    return true;
  }

  settle(hold: Hold, amount: number): void {
    const account = this.#accounts.get(hold.counter.key);
    // A window that has gone takes what was held in it along.
    if (account?.window === hold.window) {
      account[hold.isSpent ? "spent" : "held"] -= hold.amount;
      account.spent += amount;
    }
    Object.assign(hold, { amount, isSpent: true });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  taken(counter: Counter, nowMs: number): number {
    const { spent, held } = this.#account(counter, nowMs);
    return spent + held;
  }

  #account(counter: Counter, nowMs: number): Account {
    const window = windowAt(counter.per, nowMs);
    const known = this.#accounts.get(counter.key);
    if (known && known.window >= window) return known;
    const fresh = { window, spent: 0, held: 0 };
    this.#accounts.set(counter.key, fresh);
    return fresh;
  }
}
