import type {
  Counter,
  CounterStore,
  Hold,
  Need,
  Resizing,
  Standing,
} from "#meter/budgets/counter.ts";

export class Acts {
  readonly store: CounterStore;
  readonly #waiting = new Set<() => void>();
  readonly #setClock: (nowMs: number) => void | Promise<void>;

  constructor(
    store: CounterStore,
    setClock: (nowMs: number) => void | Promise<void> = () => undefined,
  ) {
    this.store = store;
    this.#setClock = setClock;
  }

  readonly answered = (): void => {
    for (const decide of this.#waiting) decide();
  };

  hold(
    counter: Counter,
    amount: number,
    nowMs: number,
    isForced: boolean,
  ): Promise<Hold | undefined> {
    const need = { counter, hold: undefined, amount, isSpent: false };
    return this.#decided(isForced ? undefined : need, nowMs, () =>
      this.store.hold(counter, amount, nowMs, isForced),
    );
  }

  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): Promise<boolean> {
    const { isForced, isSpent } = resizing;
    const need = { counter: hold.counter, hold, amount, isSpent };
    return this.#decided(isForced ? undefined : need, nowMs, () =>
      this.store.resize(hold, amount, nowMs, resizing),
    );
  }

  settle(hold: Hold, amount: number): void {
    this.store.settle(hold, amount);
  }

  release(hold: Hold): void {
    this.store.release(hold);
  }

  readStanding(counter: Counter, nowMs: number): Standing {
    return this.store.readStanding(counter, nowMs);
  }

  async #decided<Result>(
    need: Need | undefined,
    nowMs: number,
    act: () => Result,
  ): Promise<Result> {
    await this.#setClock(nowMs);
    return new Promise((resolve) => {
      const decide = (): void => {
        if (need && this.store.mustWaitFor?.(need, nowMs) === true) return;
        this.#waiting.delete(decide);
        resolve(act());
      };
      this.#waiting.add(decide);
      decide();
    });
  }
}
