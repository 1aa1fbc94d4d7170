import {
  type Counter,
  type CounterStore,
  type Hold,
  type Resizing,
  type Standing,
  makeStanding,
} from "#meter/budgets/counter.ts";
import { findCurrentWindow } from "#meter/budgets/windows.ts";
import {
  type Amounts,
  type CounterChange,
  type CallStep,
  makeCallStep,
  noCallAmounts,
} from "../apply-change.ts";
import { type AmountStore } from "../store.ts";
import { storeFlushMaxMs } from "../counter-lifetimes.ts";

// In a burst, each transaction requests budget for twice as many calls as the previous one, up to this maximum.
const callsPerTransactionMax = 64;

// The last known amounts of a counter in the store, and this meter's changes to them.
type Book = {
  counter: Counter;
  nowMs: number;
  window: number | undefined;
  open: number; // held by open calls
  unwritten: number; // spent, but not yet in the store
  held: number; // this meter's part of the held amount in the store
  pledged: number; // the part of `held` that may be spent without writing
  amounts: Amounts; // of all meters, when last read
  mayGrant: boolean;
  recentTransactions: number;
  readMs: number;
};

type Step = CallStep & Pick<CounterChange, "isForced" | "keepsWindow">;

const flushStep = {
  current: noCallAmounts,
  next: noCallAmounts,
  isForced: true,
  keepsWindow: true,
};

// Grants most calls of a burst from an advance that it reserved in the store, and writes their amounts later. If the
// meter is killed, its `pledged` amount counts as spent, because calls may already have spent it.
export class BatchedCounters implements CounterStore {
  readonly #store: AmountStore;
  readonly #books = new Map<string, Book>();
  readonly #dirty = new Set<Book>();
  #flushTimer: Timer | undefined;
  #lastId = 0;

  constructor(store: AmountStore) {
    this.#store = store;
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    const book = this.#openBook(counter, nowMs);
    const step = makeCallStep(undefined, book.window, amount, false);
    if (!this.#change(book, { ...step, isForced, keepsWindow: false })) return undefined;
    this.#lastId += 1;
    return { counter, window: book.window ?? 0, amount, isSpent: false, id: this.#lastId };
  }

  resize(hold: Hold, amount: number, nowMs: number, { isForced, isSpent }: Resizing): boolean {
    const book = this.#openBook(hold.counter, nowMs);
    const step = makeCallStep(hold, book.window, amount, isSpent);
    if (!this.#change(book, { ...step, isForced, keepsWindow: false })) return false;
    Object.assign(hold, { window: book.window, amount, isSpent });
    return true;
  }

  settle(hold: Hold, amount: number): void {
    const known = this.#books.get(hold.counter.key);
    if (known && known.window === hold.window) {
      const step = makeCallStep(hold, known.window, amount, true);
      this.#change(known, { ...step, isForced: true, keepsWindow: true });
    }
    Object.assign(hold, { amount, isSpent: true });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  readStanding(counter: Counter, nowMs: number): Standing {
    const book = this.#books.get(counter.key);
    if (!book) return this.#store.read(counter, nowMs);
    const isFresh = performance.now() - book.readMs < storeFlushMaxMs;
    if (isFresh && isCurrent(book, nowMs)) return computeStanding(book);
    this.flush();
    return this.#store.read(counter, nowMs);
  }

  // Unlike `readStanding`, never reads the store.
  recallStanding(counter: Counter, nowMs: number): Standing {
    const book = this.#books.get(counter.key);
    return book && isCurrent(book, nowMs) ? computeStanding(book) : makeStanding(0, 0);
  }

  flush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const books = [...this.#dirty];
    this.#dirty.clear();
    for (const book of books) {
      if (book.unwritten !== 0 || book.held !== book.open) this.#apply(book, flushStep, 0);
      // `recentTransactions` is halved, not reset, so that a steady caller does not start again with small advances.
      book.recentTransactions >>= 1;
    }
  }

  close(): void {
    this.flush();
    this.#store.close();
  }

  #openBook(counter: Counter, nowMs: number): Book {
    const known = this.#books.get(counter.key);
    if (known) {
      if (known.counter.limit !== counter.limit) known.readMs = -Infinity;
      return Object.assign(known, { counter, nowMs });
    }
    const book = {
      counter,
      nowMs,
      window: undefined,
      open: 0,
      unwritten: 0,
      held: 0,
      pledged: 0,
      amounts: { window: 0, spent: 0, held: 0 },
      mayGrant: true,
      recentTransactions: 0,
      readMs: -Infinity,
    };
    this.#books.set(counter.key, book);
    return book;
  }

  #change(book: Book, step: Step): boolean {
    const { current, next } = step;
    const open = book.open - current.held + next.held;
    const unwritten = book.unwritten - current.spent + next.spent;
    if (isCurrent(book, book.nowMs) && isCovered(book, open, unwritten)) {
      Object.assign(book, { open, unwritten });
      this.#flushSoon(book);
      return true;
    }
    const spending = next.spent - current.spent;
    const growth = Math.max(0, spending, spending + next.held - current.held);
    const advanceCalls = Math.min(callsPerTransactionMax, 2 ** book.recentTransactions) - 1;
    book.recentTransactions += 1;
    const isGranted = this.#apply(book, step, advanceCalls * growth);
    this.#flushSoon(book);
    return isGranted;
  }

  #apply(book: Book, step: Step, advance: number): boolean {
    const { counter, nowMs, window, open, unwritten } = book;
    const change: CounterChange = { counter, nowMs, window, open, unwritten, ...step, advance };
    const { share, isGranted, ...applied } = this.#store.apply(change);
    Object.assign(book, {
      ...applied,
      window: applied.amounts.window,
      unwritten: 0,
      held: share.held,
      pledged: share.pledged,
      readMs: performance.now(),
    });
    return isGranted;
  }

  #flushSoon(book: Book): void {
    this.#dirty.add(book);
    this.#flushTimer ??= setTimeout(() => this.flush(), storeFlushMaxMs).unref();
  }
}

function computeStanding({ amounts, held, open, unwritten, mayGrant }: Book): Standing {
  const spent = Math.max(0, amounts.spent + unwritten);
  return { ...makeStanding(spent, Math.max(0, amounts.held - held + open)), mayGrant };
}

function isCurrent({ counter, window, readMs }: Book, nowMs: number): boolean {
  if (window === undefined || readMs === -Infinity) return false;
  const current = findCurrentWindow(counter.per, window, nowMs);
  return current.keepsAmounts && current.window === window;
}

function isCovered(
  { counter, amounts, held, pledged }: Book,
  open: number,
  unwritten: number,
): boolean {
  // Forced amounts may have exceeded the limit; then only the store decides.
  const isWithinLimit = amounts.spent + amounts.held <= counter.limit;
  return isWithinLimit && open + unwritten <= held && unwritten <= pledged;
}
