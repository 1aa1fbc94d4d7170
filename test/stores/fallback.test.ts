import { expect, test } from "bun:test";
import type { Counter } from "#budgets/counter.ts";
import { FallbackCounters } from "#stores/fallback.ts";
import { SqliteCounters } from "#stores/sqlite.ts";
import { Folder } from "../support/folder.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 10 };
const resizing = { isForced: false, isSpent: false };

/** Counters with a fallback, the store below them, and what was told. */
async function withFallback(folder: Folder) {
  const told: string[] = [];
  const shared = new SqliteCounters({ path: folder.at("c.sqlite"), holder: "one" });
  const counters = await FallbackCounters.open(
    () => Promise.resolve(shared),
    (sentence) => told.push(sentence),
  );
  return { counters, shared, told };
}

test("FallbackCounters uses the shared store while it works", async () => {
  using folder = new Folder();
  const { counters, shared, told } = await withFallback(folder);
  counters.hold(counter, 8, noon, false);
  expect(shared.taken(counter, noon)).toBe(8);
  counters.close();
  expect([
    new SqliteCounters({ path: folder.at("c.sqlite"), holder: "b" }).taken(counter, noon),
    told,
  ]).toEqual([0, []]);
});

test("FallbackCounters tells once that a store cannot be opened, and counts this session alone", async () => {
  const told: string[] = [];
  const counters = await FallbackCounters.open(
    () => Promise.reject(new Error("it is on fire")),
    (sentence) => told.push(sentence),
  );
  expect(counters.hold(counter, 8, noon, false)).toBeDefined();
  expect(counters.hold(counter, 3, noon, false)).toBeUndefined();
  expect(counters.taken(counter, noon)).toBe(8);
  counters.close();
  expect(told).toEqual([expect.stringContaining("it is on fire")]);
});

test("FallbackCounters keeps the ceiling when the store fails in the middle", async () => {
  using folder = new Folder();
  const { counters, shared, told } = await withFallback(folder);
  const other = new SqliteCounters({ path: folder.at("c.sqlite"), holder: "other" });
  other.settle(other.hold(counter, 1, noon, false) ?? expect.unreachable(), 1);
  const hold = counters.hold(counter, 7, noon, false) ?? expect.unreachable();
  // A closed store fails as a full disk does.
  shared.close();
  expect(counters.resize(hold, 9, noon, resizing)).toBe(true);
  expect(counters.hold(counter, 1, noon, false)).toBeUndefined();
  counters.settle(hold, 8);
  expect([counters.taken(counter, noon), told.length]).toEqual([9, 1]);
  counters.close();
});
