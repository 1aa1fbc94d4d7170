import { expect } from "bun:test";
import * as fc from "fast-check";
import type { Counter, Hold } from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";
import type { Acts } from "./acts.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 8, 1, 12);

export type Act = {
  readonly act: "hold" | "resize" | "spend" | "settle" | "release";
  readonly amount: number;
  readonly which: number;
  readonly per: "minute" | "session";
  readonly isForced: boolean;
  // Clocks may also be set back.
  readonly passedMs: number;
};

export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    act: fc.constantFrom("hold", "hold", "resize", "spend", "settle", "release"),
    amount: fc.nat({ max: 12 }),
    which: fc.nat({ max: 5 }),
    per: fc.constantFrom("minute", "session"),
    isForced: fc.boolean(),
    passedMs: fc.constantFrom(0, 0, 1, minute / 2, minute, -minute / 2, -minute),
  }),
  { maxLength: 40 },
);

type Share = { readonly key: string; window: number; amount: number };

class Model {
  readonly #shares: Share[] = [];
  readonly #windows = new Map<string, number>();

  begin(counter: Counter, nowMs: number): number {
    const window = this.#windowOf(counter, nowMs);
    this.#windows.set(counter.key, window);
    return window;
  }

  taken(counter: Counter, nowMs: number): number {
    const window = this.#windowOf(counter, nowMs);
    return this.#shares
      .filter((share) => share.key === counter.key && share.window === window)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  grant(counter: Counter, amount: number, nowMs: number): Share {
    const share = { key: counter.key, window: this.begin(counter, nowMs), amount };
    this.#shares.push(share);
    return share;
  }

  #windowOf({ key, per }: Counter, nowMs: number): number {
    return Math.max(computeWindow(per, nowMs), this.#windows.get(key) ?? -Infinity);
  }
}

type Open = { readonly hold: Hold; readonly share: Share };

class Pair {
  readonly #store: Acts;
  readonly #isCeiling: boolean;
  readonly #model = new Model();
  readonly #open: Open[] = [];
  readonly #counters: { readonly [per in Act["per"]]: Counter } = {
    minute: { key: crypto.randomUUID(), per: "minute", limit: 20 },
    session: { key: crypto.randomUUID(), per: "session", limit: 20 },
  };
  #nowMs = noon;

  constructor(store: Acts, isCeiling: boolean) {
    this.#store = store;
    this.#isCeiling = isCeiling;
  }

  async apply(act: Act): Promise<void> {
    this.#nowMs += act.passedMs;
    const isForced = act.isForced && !this.#isCeiling;
    const open = this.#open[act.which % Math.max(1, this.#open.length)];
    if (act.act === "hold") await this.#hold(this.#counters[act.per], act.amount, isForced);
    else if (!open) return;
    else if (act.act === "resize" || act.act === "spend") await this.#resize(open, act, isForced);
    else this.#settle(open, act);
    this.#compare();
  }

  async #hold(counter: Counter, amount: number, isForced: boolean): Promise<void> {
    const fits = isForced || this.#model.taken(counter, this.#nowMs) + amount <= counter.limit;
    const hold = await this.#store.hold(counter, amount, this.#nowMs, isForced);
    expect(hold !== undefined).toBe(fits);
    if (hold) this.#open.push({ hold, share: this.#model.grant(counter, amount, this.#nowMs) });
    else this.#model.begin(counter, this.#nowMs);
  }

  async #resize({ hold, share }: Open, { act, amount }: Act, isForced: boolean): Promise<void> {
    const { counter } = hold;
    const window = this.#model.begin(counter, this.#nowMs);
    const current = share.window === window ? share.amount : 0;
    const others = this.#model.taken(counter, this.#nowMs) - current;
    const fits = isForced || others + amount <= counter.limit;
    const resizing = { isForced, isSpent: act === "spend" };
    expect(await this.#store.resize(hold, amount, this.#nowMs, resizing)).toBe(fits);
    if (fits) Object.assign(share, { window, amount });
    expect(hold).toMatchObject({ window: share.window, amount: share.amount });
  }

  #settle({ hold, share }: Open, { act, amount }: Act): void {
    if (act === "release") {
      this.#store.release(hold);
      share.amount = 0;
    } else {
      share.amount = this.#isCeiling ? Math.min(amount, share.amount) : amount;
      this.#store.settle(hold, share.amount);
    }
  }

  #compare(): void {
    for (const counter of Object.values(this.#counters)) {
      const taken = this.#store.readStanding(counter, this.#nowMs).taken;
      expect(taken).toBe(this.#model.taken(counter, this.#nowMs));
      if (this.#isCeiling) expect(taken).toBeLessThanOrEqual(counter.limit);
    }
  }
}

// Plays the acts on a store and on the model, and throws where they differ.
export async function play(store: Acts, played: readonly Act[], isCeiling: boolean): Promise<void> {
  const pair = new Pair(store, isCeiling);
  // A store that must be asked receives no requests for nothing, which therefore start no window. Any message to it
  // starts one, and it chooses when to write: after a clock was set back, it would find a window that the model has not
  // started.
  const [amountMin, passedMinMs] = store.store.mustWaitFor ? [1, 0] : [0, -Infinity];
  for (const act of played) {
    const amount = Math.max(amountMin, act.amount);
    await pair.apply({ ...act, amount, passedMs: Math.max(passedMinMs, act.passedMs) });
  }
}
