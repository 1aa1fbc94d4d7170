import { describe, expect, test } from "bun:test";
import type { Counter, Hold } from "#meter/budgets/counter.ts";
import { BatchedCounters } from "#state/stores/sqlite/batched-counters.ts";
import type { CounterChange } from "#state/stores/apply-change.ts";
import { storeFlushMaxMs } from "#state/stores/counter-lifetimes.ts";
import { LocalStore } from "#state/stores/sqlite/failover-store.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 1_000_000 };
const spent = { isForced: false, isSpent: true };

class Counting extends LocalStore {
  transactions = 0;
  reads = 0;
  share = { held: 0, pledged: 0 };

  override apply(change: CounterChange) {
    this.transactions += 1;
    const applied = super.apply(change);
    this.share = applied.share;
    return applied;
  }

  override read(...args: Parameters<LocalStore["read"]>) {
    this.reads += 1;
    return super.read(...args);
  }
}

function hold(counters: BatchedCounters, amount: number): Hold {
  return counters.hold(counter, amount, noon, false) ?? expect.unreachable();
}

describe("BatchedCounters", () => {
  test("a burst of 4,000 calls takes fewer than 200 transactions, and nothing is held in the end", () => {
    const store = new Counting();
    const counters = new BatchedCounters(store);
    const holds = Array.from({ length: 4_000 }, () => hold(counters, 10));
    for (const open of holds) counters.resize(open, 50, noon, spent);
    for (const open of holds) counters.settle(open, 30);
    counters.flush();
    expect(store.transactions).toBeLessThan(200);
    expect(store.read(counter, noon)).toMatchObject({ spent: 120_000, held: 0 });
  });

  test("the last standing has the calls of this process, and asks no store", async () => {
    const store = new Counting();
    const counters = new BatchedCounters(store);
    expect(counters.recallStanding(counter, noon).taken).toBe(0);
    const open = hold(counters, 10);
    counters.resize(open, 50, noon, spent);
    hold(counters, 7);
    await Bun.sleep(2 * storeFlushMaxMs);
    const flushed = store.transactions;
    expect(counters.recallStanding(counter, noon)).toMatchObject({ spent: 50, held: 7 });
    expect([store.reads, store.transactions]).toEqual([0, flushed]);
    expect(counters.recallStanding(counter, noon + 24 * 3_600_000).taken).toBe(0);
  });

  test("what is spent and not written is pledged at every moment", () => {
    const store = new Counting();
    const counters = new BatchedCounters(store);
    const holds = Array.from({ length: 300 }, () => hold(counters, 10));
    let delivered = 0;
    for (const open of holds) {
      counters.resize(open, 50, noon, spent);
      delivered += 50;
      const written = store.read(counter, noon).spent;
      expect(written + store.share.pledged).toBeGreaterThanOrEqual(delivered);
    }
  });

  test("one call takes no advance, and is written before it is delivered", () => {
    const store = new Counting();
    const counters = new BatchedCounters(store);
    const open = hold(counters, 10);
    expect(store.share).toMatchObject({ held: 10, pledged: 0 });
    counters.flush();
    counters.resize(open, 50, noon, spent);
    expect(store.read(counter, noon).spent).toBe(50);
  });

  test("what is left of an advance goes back by itself", async () => {
    const store = new Counting();
    const counters = new BatchedCounters(store);
    for (let call = 0; call < 20; call += 1) hold(counters, 10);
    expect(store.share.held).toBeGreaterThan(200);
    while (store.share.held > 200) await Bun.sleep(1);
    expect(store.share).toMatchObject({ held: 200, pledged: 0 });
  });
});
