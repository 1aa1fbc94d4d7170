export const retryDelayMinMs = 500;

const retryDelayMaxMs = 30_000;

// After this long without a failure, the delay starts from the minimum again.
const healthyMinMs = 120_000;

export class RetryDelay {
  readonly #now: () => number;
  #nextMs = retryDelayMinMs;
  #openedMs = Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  markOpened(): void {
    this.#openedMs = this.#now();
  }

  // Call this only once per failure, because each call doubles the delay.
  next(): number {
    const wasHealthy = this.#now() - this.#openedMs > healthyMinMs;
    this.#openedMs = Infinity;
    const delayMs = wasHealthy ? retryDelayMinMs : this.#nextMs;
    this.#nextMs = Math.min(retryDelayMaxMs, delayMs * 2);
    return delayMs;
  }
}
