import type {
  Counter,
  CounterStore,
  Hold,
  Need,
  Resizing,
  Standing,
} from "#meter/budgets/counter.ts";
import { MemoryCounters } from "#state/stores/memory.ts";

export class DeferredCounters implements CounterStore {
  readonly #counters = new MemoryCounters();
  readonly #asked = new Set<string>();
  readonly #answered = new Set<string>();

  get waiting(): number {
    return this.#asked.size;
  }

  mustWaitFor(need: Need): boolean {
    const { counter, hold, amount, isSpent } = need;
    const text = JSON.stringify([counter.key, hold?.id, amount, isSpent]);
    if (this.#answered.has(text)) return false;
    this.#asked.add(text);
    return true;
  }

  answer(decide: () => void): void {
    for (const text of this.#asked) this.#answered.add(text);
    this.#asked.clear();
    decide();
    this.#answered.clear();
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    return this.#counters.hold(counter, amount, nowMs, isForced);
  }

  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): boolean {
    return this.#counters.resize(hold, amount, nowMs, resizing);
  }

  settle(hold: Hold, amount: number): void {
    this.#counters.settle(hold, amount);
  }

  release(hold: Hold): void {
    this.#counters.release(hold);
  }

  readStanding(counter: Counter, nowMs: number): Standing {
    return this.#counters.readStanding(counter, nowMs);
  }
}
