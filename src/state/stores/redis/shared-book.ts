import { type Counter, type Standing, makeStanding } from "#meter/budgets/counter.ts";
import { findCurrentWindow, computeWindow } from "#meter/budgets/windows.ts";
import type { CallStep } from "../apply-change.ts";
import type { CounterAnswer, SharedChange } from "./counter-script.ts";
import { holdMaxMs } from "../counter-lifetimes.ts";

// The last known amounts of a counter in Redis, and this meter's changes to them.
// A change may return this meter's unused room to other meters. Until Redis answers, the calls of this meter may use no
// more than `#credit`: the room that they used when the change was sent.
export class SharedBook {
  counter: Counter;
  // True from an answer until the decisions that waited for it are made.
  isFresh = false;
  // True if the last answer granted less room than requested, or showed that the limit is reached.
  isFull = false;
  #window: number | undefined;
  #spent = 0;
  #held = 0;
  #born = 0;
  #share = { held: 0, pledged: 0 };
  #credit = { held: 0, pledged: 0 };
  #open = 0; // held by open calls
  #unwritten = 0; // spent, but not yet in Redis
  #growth = 0; // room to request
  #pledge = 0; // counts as spent if the meter is killed
  #wantsRoom = false;
  #wantsAmounts = false;
  #hasBegunWindow = false;
  #sent: SharedChange | undefined;
  #seq = 0;
  #answeredMs = -Infinity;

  constructor(counter: Counter) {
    this.counter = counter;
  }

  get window(): number | undefined {
    return this.#window;
  }

  get isInFlight(): boolean {
    return this.#sent !== undefined;
  }

  get hasRequest(): boolean {
    return this.#wantsRoom || this.#wantsAmounts;
  }

  get unwritten(): number {
    return this.#unwritten;
  }

  get hasHolds(): boolean {
    return this.#share.held > 0;
  }

  get isKnown(): boolean {
    return this.#answeredMs > -Infinity;
  }

  get isDirty(): boolean {
    return this.#hasBegunWindow || this.#unwritten !== 0 || this.#share.held !== this.#open;
  }

  isCurrent(nowMs: number): boolean {
    if (this.isFresh) return true;
    // Half of `holdMaxMs`, because the holds must not expire before the next answer.
    if (this.#window === undefined || nowMs - this.#answeredMs > holdMaxMs / 2) return false;
    return this.#isInWindow(nowMs);
  }

  enterWindow(nowMs: number): void {
    if (this.#isInWindow(nowMs)) return;
    this.#window = computeWindow(this.counter.per, nowMs);
    this.#spent = this.#held = this.#open = this.#unwritten = 0;
    this.#share = this.#credit = { held: 0, pledged: 0 };
    this.#sent = undefined;
    this.isFull = false;
    this.#hasBegunWindow = true;
  }

  covers(step: CallStep): boolean {
    const { open, unwritten } = this.#amountsAfter(step);
    const { held, pledged } = this.#credit;
    // Credit alone does not decide: a forced `hold` or `resize` may have exceeded the limit.
    return open + unwritten <= held && unwritten <= pledged && this.fits(step);
  }

  fits(step: CallStep): boolean {
    const { open, unwritten } = this.#amountsAfter(step);
    const heldByOthers = Math.max(0, this.#held - this.#share.held);
    return this.#spent + heldByOthers + open + unwritten <= this.counter.limit;
  }

  apply(step: CallStep): void {
    const { open, unwritten } = this.#amountsAfter(step);
    this.#open = open;
    this.#unwritten = unwritten;
  }

  releaseAll(): void {
    this.#open = 0;
  }

  requestRoom({ current, next }: CallStep): void {
    this.#wantsRoom = true;
    this.#growth += Math.max(0, next.held + next.spent - current.held - current.spent);
    this.#pledge += Math.max(0, next.spent - current.spent);
  }

  requestAmounts(): void {
    this.#wantsAmounts = true;
  }

  // Returns the last change again until Redis has answered it.
  // When catching up, `knownSpent` restores spending that Redis may lack.
  makeChange(isCatchingUp = false): SharedChange {
    const knownSpent = isCatchingUp ? this.#spent : 0;
    if (this.#sent) return { ...this.#sent, knownSpent };
    this.#seq += 1;
    const isReading = this.#wantsAmounts && !this.#wantsRoom && !this.isDirty && !this.#open;
    this.#hasBegunWindow = false;
    this.#sent = {
      seq: this.#seq,
      window: this.#window,
      open: Math.max(0, this.#open),
      unwritten: this.#unwritten,
      growth: isReading ? -1 : this.#growth,
      pledge: this.#pledge,
      knownSpent,
      lastAnswer: { spent: this.#spent, born: this.#born },
    };
    this.#credit = { held: this.#open + this.#unwritten, pledged: this.#unwritten };
    this.clearRequests();
    return this.#sent;
  }

  takeAnswer(answer: CounterAnswer, change: SharedChange): void {
    // After `enterWindow` has dropped the change, its answer says nothing about the window that has begun.
    if (this.#sent?.seq !== change.seq) return;
    this.#sent = undefined;
    const { window, spent, held, share, nowMs, born } = answer;
    const isSameWindow = change.window === window;
    if (window !== this.#window) this.#open = this.#unwritten = 0;
    else if (isSameWindow) this.#unwritten -= change.unwritten;
    const granted = share.held - (isSameWindow ? change.open : 0);
    this.isFull = granted < change.growth || spent + held >= this.counter.limit;
    // Reading alone does not start a window.
    if (change.growth >= 0 || spent + held > 0) this.#window = window;
    this.#spent = spent;
    this.#held = held;
    this.#born = born;
    this.#share = this.#credit = share;
    this.#answeredMs = nowMs;
    this.clearRequests();
  }

  clearRequests(): void {
    this.#growth = this.#pledge = 0;
    this.#wantsRoom = this.#wantsAmounts = false;
  }

  readStanding(nowMs: number): Standing {
    if (!this.isFresh && !this.#isInWindow(nowMs)) return makeStanding(0, 0);
    const heldByOthers = Math.max(0, this.#held - this.#share.held);
    return makeStanding(
      Math.max(0, this.#spent + this.#unwritten),
      heldByOthers + Math.max(0, this.#open),
    );
  }

  #isInWindow(nowMs: number): boolean {
    if (this.#window === undefined) return false;
    const { window, keepsAmounts } = findCurrentWindow(this.counter.per, this.#window, nowMs);
    return keepsAmounts && window === this.#window;
  }

  #amountsAfter({ current, next }: CallStep): Pick<SharedChange, "open" | "unwritten"> {
    return {
      open: this.#open - current.held + next.held,
      unwritten: this.#unwritten - current.spent + next.spent,
    };
  }
}
