import { type Counter, currentWindow, type Standing, standingOf } from "#meter/budgets/counter.ts";
import {
  type Amounts,
  type CounterChange,
  type Applied,
  applyChange,
  type Share,
} from "./change.ts";
import type { AmountStore, Interlude } from "./shared-store.ts";

type Entry = {
  readonly counter: Counter;
  readonly amounts: Amounts;
  readonly share: Share;
  readonly known: Amounts;
};

/** Replaces the shared store while it cannot be reached. */
export class LocalStore implements AmountStore {
  readonly #entries = new Map<string, Entry>();
  #peeked: ReadonlyMap<string, Amounts> = new Map();

  learn(counter: Counter, { amounts, share }: Applied): void {
    this.#entries.set(counter.key, { counter, amounts, share, known: amounts });
  }

  /** Amounts in a window only grow, but for corrections. */
  learnAll(peeked: ReadonlyMap<string, Amounts>): void {
    this.#peeked = peeked;
    for (const [key, entry] of this.#entries) {
      const newer = peeked.get(key);
      if (!newer || newer.window !== entry.amounts.window) continue;
      const spent = Math.max(newer.spent, entry.amounts.spent);
      const amounts = { ...entry.amounts, spent };
      this.#entries.set(key, { ...entry, amounts, known: amounts });
    }
  }

  apply(change: CounterChange): Applied {
    const { counter } = change;
    const entry = this.#entries.get(counter.key);
    const before = entry?.amounts ?? this.#peeked.get(counter.key);
    const applied = applyChange(before, entry?.share, change);
    const { amounts, share } = applied;
    const known = this.#knownIn(amounts.window, entry?.known ?? before);
    this.#entries.set(counter.key, { counter, amounts, share, known });
    return applied;
  }

  read(counter: Counter, nowMs: number): Standing {
    const amounts = this.#entries.get(counter.key)?.amounts ?? this.#peeked.get(counter.key);
    const { isKept } = currentWindow(counter.per, amounts?.window, nowMs);
    return amounts && isKept ? standingOf(amounts.spent, amounts.held) : standingOf(0, 0);
  }

  close(): void {
    // Its amounts end with the process.
  }

  interludes(): Interlude[] {
    return [...this.#entries.values()].map(({ counter, amounts, share, known }) => {
      const since = amounts.spent - known.spent;
      const { window } = amounts;
      return { counter, window, known: known.spent, since, held: share.held };
    });
  }

  #knownIn(window: number, known: Amounts | undefined): Amounts {
    return known?.window === window ? known : { window, spent: 0, held: 0 };
  }
}
