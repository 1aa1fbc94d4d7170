import { alertKey, type AlertMessage } from "./alert-message.ts";

// Equal alerts within this time become one, with their number.
export const alertRepeatMs = 60_000;

// Further alerts are only recorded.
export const alertsWaitingMax = 32;

// Per `alertsPeriodMs`: a person reads no more, and a server chooses the names of its tools.
export const alertsDeliveredMax = 100;

// Alerts are allowed again after this time: `serve` runs for months.
export const alertsPeriodMs = 24 * 60 * 60_000;

// Each is a few hundred bytes.
export const alertsRememberedMax = 1_000;

type WaitingAlert = { readonly message: AlertMessage; readonly dueMs: number };

/** Equal alerts within `alertRepeatMs` become one with their number. Times are in milliseconds of any clock. */
export class AlertQueue {
  readonly #waiting = new Map<string, WaitingAlert>();
  readonly #takenMs = new Map<string, number>();
  #taken = 0;
  #sinceMs = -Infinity;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(message: AlertMessage, nowMs: number): void {
    const key = alertKey(message);
    const before = this.#waiting.get(key);
    if (before) {
      const count = before.message.count + message.count;
      this.#waiting.set(key, { ...before, message: { ...message, count } });
      return;
    }
    if (nowMs - this.#sinceMs >= alertsPeriodMs) [this.#sinceMs, this.#taken] = [nowMs, 0];
    if (this.#taken + this.#waiting.size >= alertsDeliveredMax || this.#isFull) {
      this.#leftOut += message.count;
      return;
    }
    const takenMs = this.#takenMs.get(key);
    const dueMs = takenMs === undefined ? nowMs : Math.max(nowMs, takenMs + alertRepeatMs);
    this.#waiting.set(key, { message, dueMs });
  }

  get dueMs(): number | undefined {
    const times = [...this.#waiting.values()].map(({ dueMs }) => dueMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  take(nowMs: number): AlertMessage | undefined {
    const due = this.#inOrder.find(({ dueMs }) => dueMs <= nowMs);
    return this.#take(due, nowMs);
  }

  takeOldest(nowMs: number): AlertMessage | undefined {
    return this.#take(this.#inOrder[0], nowMs);
  }

  takeNewest(nowMs: number): AlertMessage | undefined {
    return this.#take(this.#inOrder.toSorted(byTime).at(-1), nowMs);
  }

  clear(): void {
    for (const { message } of this.#waiting.values()) this.#leftOut += message.count;
    this.#waiting.clear();
  }

  get #isFull(): boolean {
    return this.#waiting.size >= alertsWaitingMax;
  }

  get #inOrder(): readonly WaitingAlert[] {
    return [...this.#waiting.values()];
  }

  #take(waiting: WaitingAlert | undefined, nowMs: number): AlertMessage | undefined {
    if (!waiting) return undefined;
    const { message } = waiting;
    const key = alertKey(message);
    this.#waiting.delete(key);
    this.#remember(key, nowMs);
    this.#taken += 1;
    return message;
  }

  #remember(key: string, nowMs: number): void {
    this.#takenMs.delete(key);
    this.#takenMs.set(key, nowMs);
    const [oldest] = this.#takenMs.keys();
    if (this.#takenMs.size > alertsRememberedMax && oldest !== undefined)
      this.#takenMs.delete(oldest);
  }
}

function byTime(one: WaitingAlert, other: WaitingAlert): number {
  return Date.parse(one.message.ts) - Date.parse(other.message.ts);
}
