import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Counter } from "#budgets/counter.ts";
import { counterFile, SharedCounters } from "#stores/shared.ts";
import { Folder } from "../support/folder.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 10 };

test("two meters of one folder share their counters", () => {
  using folder = new Folder();
  const open = (holder: string) =>
    new SharedCounters(folder.at("state"), holder, () => expect.unreachable());
  const [one, other] = [open("one"), open("other")];
  one.hold(counter, 8, noon, false);
  expect(other.hold(counter, 3, noon, false)).toBeUndefined();
  expect(statSync(folder.at("state")).mode & 0o777).toBe(0o700);
  one.close();
  expect(other.hold(counter, 3, noon, false)).toBeDefined();
  other.close();
});

test("a store that cannot be opened is told once, and the counter is the session's own", () => {
  using folder = new Folder();
  folder.file(counterFile, "this is no database, and long enough to be taken for one ".repeat(40));
  const told: string[] = [];
  for (const state of [folder.path, folder.file("file", ""), undefined]) {
    const counters = new SharedCounters(state, "one", (sentence) => told.push(sentence));
    expect(counters.hold(counter, 8, noon, false)).toBeDefined();
    expect(counters.hold(counter, 3, noon, false)).toBeUndefined();
    expect(counters.taken(counter, noon)).toBe(8);
    counters.close();
  }
  expect(told).toHaveLength(3);
});

test("a store that fails in the middle leaves a counter that is still a ceiling", () => {
  using folder = new Folder();
  const told: string[] = [];
  const counters = new SharedCounters(folder.path, "one", (sentence) => told.push(sentence));
  const hold = counters.hold(counter, 8, noon, false);
  if (!hold) throw new Error("there is room for it");
  // What is closed fails as a full disk does.
  counters.close();
  expect(counters.resize(hold, 9, noon, false)).toBe(true);
  expect(counters.hold(counter, 2, noon, false)).toBeUndefined();
  counters.settle(hold, 9);
  expect([counters.taken(counter, noon), told.length]).toEqual([9, 1]);
});
