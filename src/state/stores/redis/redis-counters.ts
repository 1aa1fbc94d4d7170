import { type OpenStores, type StoreOptions } from "../store.ts";
import { storeFlushMaxMs, holdRenewalMs } from "../counter-lifetimes.ts";
import { type RedisLocation, formatHostPort } from "./address.ts";
import { RedisLink } from "./reconnect.ts";
import { storeSentences } from "../sentences.ts";
import type {
  Counter,
  CounterStore,
  Hold,
  Need,
  Resizing,
  Standing,
} from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { type CallStep, makeCallStep } from "../apply-change.ts";
import type { CounterScript } from "./counter-script.ts";
import { SharedBook } from "./shared-book.ts";

export function openRedisCounters(
  location: RedisLocation,
  { holder, policy, report }: Pick<StoreOptions, "holder" | "policy" | "report">,
): Omit<OpenStores, "session"> {
  const link = new RedisLink({ ...location, policy, report });
  const shared = new RedisCounters({ link, holder, policy });
  return {
    shared,
    close: async () => {
      const isWritten = await shared.close();
      if (!isWritten) report(storeSentences.redisUnsaved(formatHostPort(location.address)), "");
    },
    save: () => shared.flush(),
    nameServer: (owner, name) => link.nameServer(owner, name),
    subscribe: (onAnswer) => shared.subscribe(onAnswer),
  };
}

type RedisCountersDeps = {
  readonly link: Pick<
    RedisLink,
    "subscribe" | "isDown" | "script" | "fail" | "reportLostCounters" | "runBeforeClose" | "close"
  >;
  readonly holder: string;
  readonly policy: CounterFailurePolicy;
  readonly now?: () => number;
};

// This meter requests room in a budget from Redis. The request includes a pledge: the part of the room that calls will
// spend. If this meter is killed before it has written this spending, Redis counts the pledge as spent.
export class RedisCounters implements CounterStore {
  readonly #deps: RedisCountersDeps;
  readonly #now: () => number;
  readonly #books = new Map<string, SharedBook>();
  readonly #outgoingBooks = new Set<SharedBook>();
  readonly #freshBooks = new Set<SharedBook>();
  readonly #pendingAnswers = new Set<Promise<void>>();
  readonly #renewTimer: Timer;
  #flushTimer: Timer | undefined;
  #onAnswer: () => void = () => undefined;
  #isSendScheduled = false;
  #isNotificationScheduled = false;
  // Puts off scheduled flushes: a flush gives back unused room, but the waiting decisions need that room.
  #isAnswerAwaited = false;
  #redisClockLeadMs = 0;
  #lastId = 0;

  constructor(deps: RedisCountersDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    deps.link.subscribe({ onOpen: () => this.#catchUp(), onClose: () => this.#fallBack() });
    this.#renewTimer = setInterval(() => this.#renew(), holdRenewalMs).unref();
  }

  subscribe(onAnswer: () => void): void {
    this.#onAnswer = onAnswer;
  }

  mustWaitFor({ counter, hold, amount, isSpent }: Need, nowMs: number): boolean {
    if (this.#deps.link.isDown) return false;
    const book = this.#getBook(counter);
    const step = makeCallStep(hold, book.window, amount, isSpent);
    if (book.isCurrent(nowMs + this.#redisClockLeadMs) && book.covers(step)) return false;
    // The answer that has just arrived leaves too little room, so another answer would not help.
    if (book.isFresh && book.isFull) return false;
    book.requestRoom(step);
    this.#isAnswerAwaited = true;
    this.#sendSoon(book);
    return true;
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    const book = this.#getBookToChange(counter, nowMs, isForced);
    const step = makeCallStep(undefined, book.window, amount, false);
    if (!this.#tryStep(book, step, nowMs, isForced)) return undefined;
    this.#lastId += 1;
    const window = book.window ?? computeWindow(counter.per, nowMs);
    return { counter, window, amount, isSpent: false, id: this.#lastId };
  }

  resize(hold: Hold, amount: number, nowMs: number, { isForced, isSpent }: Resizing): boolean {
    const book = this.#getBookToChange(hold.counter, nowMs, isForced);
    const step = makeCallStep(hold, book.window, amount, isSpent);
    if (!this.#tryStep(book, step, nowMs, isForced)) return false;
    Object.assign(hold, { window: book.window, amount, isSpent });
    return true;
  }

  settle(hold: Hold, amount: number): void {
    const book = this.#getBook(hold.counter);
    if (book.window === hold.window) {
      book.apply(makeCallStep(hold, book.window, amount, true));
      this.#flushSoon();
    }
    Object.assign(hold, { amount, isSpent: true });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  readStanding(counter: Counter, nowMs: number): Standing {
    const { link, policy } = this.#deps;
    const book = this.#getBook(counter);
    if (!book.isKnown && !link.isDown) {
      book.requestAmounts();
      this.#sendSoon(book);
    }
    const mayGrant = !link.isDown || policy !== "closed";
    return { ...book.readStanding(nowMs + this.#redisClockLeadMs), mayGrant };
  }

  flush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    for (const book of this.#books.values()) if (book.isDirty) this.#transmit(book);
  }

  // False if Redis does not have all spending of this meter.
  async close(): Promise<boolean> {
    clearInterval(this.#renewTimer);
    clearTimeout(this.#flushTimer);
    this.#onAnswer = () => undefined;
    const isWritten = await this.#deps.link.runBeforeClose((script) => this.#writeAll(script));
    this.#deps.link.close();
    return isWritten || ![...this.#books.values()].some(({ unwritten }) => unwritten > 0);
  }

  #getBook(counter: Counter): SharedBook {
    const known = this.#books.get(counter.key);
    if (known) return Object.assign(known, { counter });
    const book = new SharedBook(counter);
    this.#books.set(counter.key, book);
    return book;
  }

  // Only an answer from Redis begins a window, unless the change is forced or Redis is down.
  #getBookToChange(counter: Counter, nowMs: number, isForced: boolean): SharedBook {
    const book = this.#getBook(counter);
    if (isForced || this.#deps.link.isDown) book.enterWindow(nowMs + this.#redisClockLeadMs);
    return book;
  }

  #tryStep(book: SharedBook, step: CallStep, nowMs: number, isForced: boolean): boolean {
    const { link, policy } = this.#deps;
    const redisMs = nowMs + this.#redisClockLeadMs;
    const isGranted =
      isForced ||
      (link.isDown
        ? policy === "open" || (policy === "local" && book.fits(step))
        : book.isCurrent(redisMs) && book.covers(step));
    if (!isGranted) return false;
    book.apply(step);
    this.#flushSoon();
    return true;
  }

  #sendSoon(book: SharedBook): void {
    this.#outgoingBooks.add(book);
    if (this.#isSendScheduled) return;
    this.#isSendScheduled = true;
    queueMicrotask(() => {
      this.#isSendScheduled = false;
      for (const pending of this.#outgoingBooks) if (pending.hasRequest) this.#transmit(pending);
      this.#outgoingBooks.clear();
    });
  }

  #transmit(book: SharedBook, isCatchingUp = false): void {
    const { script } = this.#deps.link;
    if (!script || (book.isInFlight && !isCatchingUp)) return;
    const answer = this.#exchange(script, book, isCatchingUp);
    this.#pendingAnswers.add(answer);
    void answer.finally(() => this.#pendingAnswers.delete(answer));
  }

  async #exchange(script: CounterScript, book: SharedBook, isCatchingUp: boolean): Promise<void> {
    const { link, holder } = this.#deps;
    const change = book.makeChange(isCatchingUp);
    try {
      const answer = await script.change(book.counter, holder, change);
      const nowMs = this.#now();
      this.#redisClockLeadMs = answer.nowMs - nowMs;
      book.takeAnswer(answer, change);
      if (answer.isLost) link.reportLostCounters();
      book.isFresh = true;
      this.#freshBooks.add(book);
      this.#notifySoon();
    } catch (error) {
      link.fail(script, error);
    }
  }

  #notifySoon(): void {
    if (this.#isNotificationScheduled) return;
    this.#isNotificationScheduled = true;
    queueMicrotask(() => {
      this.#isNotificationScheduled = false;
      this.#isAnswerAwaited = false;
      this.#onAnswer();
      for (const book of this.#freshBooks) {
        book.isFresh = false;
        if (book.hasRequest) this.#transmit(book);
      }
      this.#freshBooks.clear();
      this.#flushSoon();
    });
  }

  #flushSoon(): void {
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      if (this.#isAnswerAwaited) this.#flushSoon();
      else this.flush();
    }, storeFlushMaxMs).unref();
  }

  #renew(): void {
    for (const book of this.#books.values()) if (book.hasHolds) this.#transmit(book);
  }

  async #catchUp(): Promise<void> {
    for (const book of this.#books.values()) this.#transmit(book, true);
    await Promise.all(this.#pendingAnswers);
    this.flush();
    await Promise.all(this.#pendingAnswers);
  }

  #fallBack(): void {
    // The failure policy decides now, so Redis need not grant any room.
    for (const book of this.#books.values()) book.clearRequests();
    this.#notifySoon();
  }

  async #writeAll(script: CounterScript): Promise<void> {
    await Promise.all(this.#pendingAnswers);
    const { holder, link } = this.#deps;
    const booksToClose = [...this.#books.values()].filter((book) => book.isKnown || book.isDirty);
    await Promise.all(
      booksToClose.map(async (book) => {
        book.releaseAll();
        // The first change may be a repeat of an unanswered one. The second change then writes the rest.
        for (let changes = 0; changes < 2 && (book.isInFlight || book.isDirty); changes += 1) {
          const change = book.makeChange();
          const answer = await script.change(book.counter, holder, change);
          book.takeAnswer(answer, change);
          if (answer.isLost) link.reportLostCounters();
        }
        if (!book.isDirty) await script.change(book.counter, holder, book.makeChange(), true);
      }),
    );
  }
}
