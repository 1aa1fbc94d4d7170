import { setBounded } from "#kit/limits.ts";
import type { SharedAlert } from "./shared-alerts.ts";
import { type AlertMessage, makeAlertKey } from "./alert-message.ts";

export const alertRepeatMs = 60_000;

export const alertsWaitingMax = 32;

// The limit per `alertsPeriodMs`. Users would not read more, and a server can cause any number by inventing tool names.
export const alertsDeliveredMax = 100;

// After this time, the count of delivered alerts starts again, because `serve` runs for months.
export const alertsPeriodMs = 24 * 60 * 60_000;

export const alertsRememberedMax = 1_000;

export type WaitingAlert = {
  readonly message: AlertMessage;
  readonly shared: SharedAlert | undefined;
  readonly dueMs: number;
};

// Merges and counts equal alerts within `alertRepeatMs`. `nowMs` and `dueMs` are from the same clock.
export class AlertQueue {
  readonly #waiting = new Map<string, WaitingAlert>();
  readonly #takenMsByKey = new Map<string, number>();
  #taken = 0;
  #periodStartMs = -Infinity;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(message: AlertMessage, nowMs: number, shared?: SharedAlert): void {
    const key = makeAlertKey(message);
    const queued = this.#waiting.get(key);
    if (queued) {
      const count = queued.message.count + message.count;
      this.#waiting.set(key, { ...queued, message: { ...message, count } });
      return;
    }
    if (nowMs - this.#periodStartMs >= alertsPeriodMs)
      [this.#periodStartMs, this.#taken] = [nowMs, 0];
    const isFull = this.#waiting.size >= alertsWaitingMax;
    if (isFull || this.#taken + this.#waiting.size >= alertsDeliveredMax) {
      this.#leftOut += message.count;
      return;
    }
    const takenMs = this.#takenMsByKey.get(key);
    const dueMs = takenMs === undefined ? nowMs : Math.max(nowMs, takenMs + alertRepeatMs);
    this.#waiting.set(key, { message, shared, dueMs });
  }

  // For an alert that was taken but not delivered, because it had already been claimed, by another meter or by this
  // one. With `dueMs`, the alert is queued again, in case the meter that claimed it fails.
  putBack(alert: WaitingAlert, dueMs: number | undefined): void {
    this.#taken -= 1;
    const key = makeAlertKey(alert.message);
    if (dueMs !== undefined && !this.#waiting.has(key)) this.#waiting.set(key, { ...alert, dueMs });
  }

  get dueMs(): number | undefined {
    const times = this.#waitingInOrder.map(({ dueMs }) => dueMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  take(nowMs: number): WaitingAlert | undefined {
    return this.#take(
      this.#waitingInOrder.find(({ dueMs }) => dueMs <= nowMs),
      nowMs,
    );
  }

  takeOldest(nowMs: number): WaitingAlert | undefined {
    return this.#take(this.#waitingInOrder[0], nowMs);
  }

  takeNewest(nowMs: number): WaitingAlert | undefined {
    return this.#take(this.#waitingInOrder.toSorted(compareTimes).at(-1), nowMs);
  }

  clear(): void {
    for (const { message } of this.#waiting.values()) this.#leftOut += message.count;
    this.#waiting.clear();
  }

  get #waitingInOrder(): readonly WaitingAlert[] {
    return [...this.#waiting.values()];
  }

  #take(waiting: WaitingAlert | undefined, nowMs: number): WaitingAlert | undefined {
    if (!waiting) return undefined;
    const key = makeAlertKey(waiting.message);
    this.#waiting.delete(key);
    this.#remember(key, nowMs);
    this.#taken += 1;
    return waiting;
  }

  #remember(key: string, nowMs: number): void {
    this.#takenMsByKey.delete(key);
    setBounded(this.#takenMsByKey, key, nowMs, alertsRememberedMax);
  }
}

function compareTimes(a: WaitingAlert, b: WaitingAlert): number {
  return Date.parse(a.message.ts) - Date.parse(b.message.ts);
}
