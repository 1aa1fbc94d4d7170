import type { Counter, CounterStore, Hold, Resizing } from "#budgets/counter.ts";
import { sentences } from "#errors.ts";
import { errorCode } from "#os/error-code.ts";
import { MemoryCounters } from "./memory.ts";
import type { SharedStore } from "./shared-store.ts";

/**
 * A shared store that falls back to memory when it cannot be opened or fails. The failure is reported once.
 * From then on counters begin with the amounts that were last known to be taken, and only this session adds to
 * them.
 */
export class FallbackCounters implements CounterStore {
  readonly #tell: (sentence: string) => void;
  /** Undefined once it has failed. */
  #shared: SharedStore | undefined;
  #current: CounterStore;
  readonly #renewal: Timer | undefined;

  /** Opens the shared store; a failure is reported like a later one. */
  static async open(
    open: () => Promise<SharedStore>,
    tell: (sentence: string) => void,
  ): Promise<FallbackCounters> {
    try {
      return new FallbackCounters(await open(), tell);
    } catch (error) {
      tell(sentences.counterStoreFailed(errorCode(error)));
      return new FallbackCounters(undefined, tell);
    }
  }

  private constructor(shared: SharedStore | undefined, tell: (sentence: string) => void) {
    this.#tell = tell;
    this.#shared = shared;
    this.#current = shared ?? new MemoryCounters();
    if (!shared) return;
    this.#renewal = setInterval(() => this.#try(() => this.#shared?.renew()), shared.renewEveryMs);
    this.#renewal.unref();
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    return this.#try(() => this.#current.hold(counter, amount, nowMs, isForced));
  }

  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): boolean {
    return this.#try(() => this.#current.resize(hold, amount, nowMs, resizing));
  }

  settle(hold: Hold, amount: number): void {
    this.#try(() => this.#current.settle(hold, amount));
  }

  release(hold: Hold): void {
    this.#try(() => this.#current.release(hold));
  }

  taken(counter: Counter, nowMs: number): number {
    return this.#try(() => this.#current.taken(counter, nowMs));
  }

  close(): void {
    clearInterval(this.#renewal);
    this.#try(() => this.#shared?.close());
  }

  /** Acts on the shared store, and once more on memory when that fails. */
  #try<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      if (!this.#shared) throw error;
      this.#fallBack(error);
      return act();
    }
  }

  #fallBack(error: unknown): void {
    const known = [...(this.#shared?.known.values() ?? [])];
    clearInterval(this.#renewal);
    this.#shared = undefined;
    this.#current = new MemoryCounters();
    // Amounts that were last known to be taken, our own holds included, stay taken.
    for (const { counter, nowMs, taken } of known) this.#current.hold(counter, taken, nowMs, true);
    this.#tell(sentences.counterStoreFailed(errorCode(error)));
  }
}
