import { raceTimeout } from "#kit/os/race-timeout.ts";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { RetryDelay } from "../retry-delay.ts";
import { type ReportOutage } from "../store.ts";
import { counterRetentionMs } from "../counter-lifetimes.ts";
import { type RedisLocation, formatHostPort } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript, RedisKeys } from "./counter-script.ts";
import { findEvictionPolicy } from "./examine-redis.ts";
import { redisSentences, storeSentences } from "../sentences.ts";

// The time limit for writing a session's last spending when the session ends.
export const redisCloseMaxMs = 500;

type LinkEvents = {
  // Resolves when Redis has caught up with changes made during an outage. Resolves early if the link fails or closes.
  readonly onOpen: () => Promise<void>;
  readonly onClose: () => void;
};

type LinkOptions = RedisLocation & {
  readonly policy: CounterFailurePolicy;
  readonly report: ReportOutage;
};

export class RedisLink {
  readonly #options: LinkOptions;
  #events: LinkEvents = { onOpen: () => Promise.resolve(), onClose: () => undefined };
  // False at the start, while it is unknown whether Redis can be reached.
  #isDown = false;
  #script: CounterScript | undefined;
  #connection: RedisConnection | undefined;
  #reopenTimer: Timer | undefined;
  readonly #retryDelay = new RetryDelay();
  #opening: Promise<void>;
  #isClosing = false;
  // True from a failure until Redis has caught up. Further failures in that time are not reported.
  #isFailureReported = false;
  #isLossReported = false;
  #isClosed = false;
  readonly #names = new Map<string, string>();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#opening = this.#open();
  }

  subscribe(events: LinkEvents): void {
    this.#events = events;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  get script(): CounterScript | undefined {
    return this.#script;
  }

  fail(script: CounterScript, error: unknown): void {
    if (script === this.#script) this.#fail(error);
  }

  reportLostCounters(): void {
    if (this.#isLossReported) return;
    this.#isLossReported = true;
    const { address, report } = this.#options;
    report(redisSentences.redisLost(formatHostPort(address)), "counters lost");
  }

  async runBeforeClose(work: (script: CounterScript) => Promise<void>): Promise<boolean> {
    this.#isClosing = true;
    clearTimeout(this.#reopenTimer);
    const connectAndWork = async (): Promise<boolean> => {
      try {
        await this.#opening;
        if (!this.#script) await this.#open();
        if (!this.#script) return false;
        await work(this.#script);
        return true;
      } catch {
        return false;
      }
    };
    return raceTimeout(connectAndWork(), redisCloseMaxMs, () => false);
  }

  nameServer(owner: string, name: string): void {
    this.#names.set(owner, name);
    if (this.#connection && this.#script) void this.#writeNames(this.#connection);
  }

  close(): void {
    this.#isClosing = true;
    this.#isClosed = true;
    clearTimeout(this.#reopenTimer);
    this.#script = undefined;
    this.#connection?.close();
  }

  async #open(): Promise<void> {
    const { fleet, report } = this.#options;
    let connection: RedisConnection | undefined;
    try {
      connection = await RedisConnection.open(this.#options);
      if (this.#isClosed) return connection.close();
      this.#connection = connection;
      this.#script = new CounterScript(connection, new RedisKeys(fleet));
      this.#isDown = false;
      this.#retryDelay.markOpened();
      void this.#writeNames(connection);
      void this.#warnOfEviction(connection);
      await this.#events.onOpen();
      const isOpen = !this.#isClosing && this.#connection === connection && this.#script;
      if (!isOpen || !this.#isFailureReported) return;
      this.#isFailureReported = false;
      report(storeSentences.counterStoreBack(), "");
    } catch (error) {
      // A newer connection may have replaced this one.
      if (!connection || connection === this.#connection) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const { address, policy, report } = this.#options;
    const isNewlyDown = !this.#isDown;
    this.#isDown = true;
    this.#script = undefined;
    this.#connection?.close();
    const reason = readErrorCode(error);
    if (!this.#isFailureReported && !this.#isClosing)
      report(redisSentences.redisFailed(formatHostPort(address), reason, policy), reason);
    this.#isFailureReported = true;
    this.#reopenLater();
    if (isNewlyDown) this.#events.onClose();
  }

  // Waits a random time, because thousands of meters may lose a Redis at the same moment.
  #reopenLater(): void {
    clearTimeout(this.#reopenTimer);
    if (this.#isClosing) return;
    const delayMs = this.#retryDelay.next() * (0.5 + Math.random() / 2);
    this.#reopenTimer = setTimeout(() => {
      this.#opening = this.#open();
    }, delayMs).unref();
  }

  // Writes all names again: a new connection may lead to another Redis, or to one that lost its keys.
  async #writeNames(connection: RedisConnection): Promise<void> {
    if (this.#names.size === 0) return;
    const { servers } = new RedisKeys(this.#options.fleet);
    try {
      await connection.send(["HSET", servers, ...[...this.#names].flat()]);
      await connection.send(["PEXPIRE", servers, String(counterRetentionMs)]);
    } catch {
      // The next connection writes them.
    }
  }

  async #warnOfEviction(connection: RedisConnection): Promise<void> {
    const evictionPolicy = await findEvictionPolicy(connection);
    const { address, report } = this.#options;
    if (evictionPolicy !== undefined)
      report(redisSentences.redisEvicts(formatHostPort(address), evictionPolicy), "eviction");
  }
}
