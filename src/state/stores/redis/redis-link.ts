import { raceTimeout } from "#kit/os/race-timeout.ts";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import {
  type ReportOutage,
  counterRetentionMs,
  storeReopenMinMs,
  storeReopenMaxMs,
  storeHealthyMinMs,
} from "../store.ts";
import { type RedisLocation, formatHostPort } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript, RedisKeys } from "./counter-script.ts";
import { findEvictionPolicy } from "./examine-redis.ts";
import { redisSentences } from "./sentences.ts";
import { storeSentences } from "../sentences.ts";

export const redisCloseMaxMs = 500;

type LinkEvents = {
  // Resolves when Redis has caught up, or the link is closed again.
  readonly opened: () => Promise<void>;
  readonly closed: () => void;
};

type LinkParts = RedisLocation & {
  readonly policy: CounterFailurePolicy;
  readonly report: ReportOutage;
};

export class RedisLink {
  readonly #parts: LinkParts;
  #events: LinkEvents = { opened: () => Promise.resolve(), closed: () => undefined };
  // False at the start, while it is unknown whether Redis can be reached.
  #isDown = false;
  #script: CounterScript | undefined;
  #connection: RedisConnection | undefined;
  #reopenTimer: Timer | undefined;
  #reopenDelayMs = storeReopenMinMs;
  #openedMs = -Infinity;
  #attempt: Promise<void>;
  #isClosing = false;
  // Stays set until Redis has caught up: a link that opens and fails again is not reported again.
  #isReported = false;
  #hasReportedLoss = false;
  #isClosed = false;
  readonly #names = new Map<string, string>();

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#attempt = this.#open();
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
    if (this.#hasReportedLoss) return;
    this.#hasReportedLoss = true;
    const { address, report } = this.#parts;
    report(redisSentences.redisLost(formatHostPort(address)), "counters lost");
  }

  // Runs `work` for at most `redisCloseMaxMs`; connects once more if needed. False if not completed.
  async runBeforeClose(work: (script: CounterScript) => Promise<void>): Promise<boolean> {
    this.#isClosing = true;
    clearTimeout(this.#reopenTimer);
    const complete = async (): Promise<boolean> => {
      try {
        await this.#attempt;
        if (!this.#script) await this.#open();
        if (!this.#script) return false;
        await work(this.#script);
        return true;
      } catch {
        return false;
      }
    };
    return raceTimeout(complete(), redisCloseMaxMs, () => false);
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
    const { fleet, report } = this.#parts;
    let connection: RedisConnection | undefined;
    try {
      connection = await RedisConnection.open(this.#parts);
      if (this.#isClosed) return connection.close();
      this.#connection = connection;
      this.#script = new CounterScript(connection, new RedisKeys(fleet));
      this.#isDown = false;
      this.#openedMs = performance.now();
      void this.#writeNames(connection);
      void this.#warnOfEviction(connection);
      await this.#events.opened();
      const isOpen = !this.#isClosing && this.#connection === connection && this.#script;
      if (!isOpen || !this.#isReported) return;
      this.#isReported = false;
      report(storeSentences.counterStoreBack(), "");
    } catch (error) {
      // A newer connection may have replaced this one.
      if (!connection || connection === this.#connection) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const { address, policy, report } = this.#parts;
    const isNewlyDown = !this.#isDown;
    this.#isDown = true;
    this.#script = undefined;
    this.#connection?.close();
    const reason = readErrorCode(error);
    if (!this.#isReported && !this.#isClosing)
      report(redisSentences.redisFailed(formatHostPort(address), reason, policy), reason);
    this.#isReported = true;
    const wasHealthy = isNewlyDown && performance.now() - this.#openedMs > storeHealthyMinMs;
    if (wasHealthy) this.#reopenDelayMs = storeReopenMinMs;
    this.#reopenLater();
    if (isNewlyDown) this.#events.closed();
  }

  // After a random delay: thousands of meters lose a Redis at the same moment.
  #reopenLater(): void {
    clearTimeout(this.#reopenTimer);
    if (this.#isClosing) return;
    const delayMs = this.#reopenDelayMs * (0.5 + Math.random() / 2);
    this.#reopenTimer = setTimeout(() => {
      this.#attempt = this.#open();
    }, delayMs).unref();
    this.#reopenDelayMs = Math.min(storeReopenMaxMs, this.#reopenDelayMs * 2);
  }

  // Writes all names for each connection: it may lead to another Redis, or to one that lost its keys.
  async #writeNames(connection: RedisConnection): Promise<void> {
    if (this.#names.size === 0) return;
    const { servers } = new RedisKeys(this.#parts.fleet);
    try {
      await connection.send(["HSET", servers, ...[...this.#names].flat()]);
      await connection.send(["PEXPIRE", servers, String(counterRetentionMs)]);
    } catch {
      // The next connection writes them.
    }
  }

  async #warnOfEviction(connection: RedisConnection): Promise<void> {
    const evictionPolicy = await findEvictionPolicy(connection);
    const { address, report } = this.#parts;
    if (evictionPolicy !== undefined)
      report(redisSentences.redisEvicts(formatHostPort(address), evictionPolicy), "eviction");
  }
}
