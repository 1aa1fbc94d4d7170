import { describe, expect, test } from "bun:test";
import type { Hold, Counter } from "#budgets/counter.ts";
import { leaseMs, SqliteCounters } from "#stores/sqlite.ts";
import { Folder } from "../support/folder.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "garden\nsearch", per: "hour", limit: 100 };

/** Two meters on one file, with a clock of their own making. */
function two(folder: Folder) {
  const clock = { nowMs: noon };
  const open = (holder: string) =>
    new SqliteCounters(folder.at("p.sqlite"), holder, () => clock.nowMs);
  return { clock, open, one: open("one"), other: open("other") };
}

function held(hold: Hold | undefined): Hold {
  if (!hold) throw new Error("there is room for it");
  return hold;
}

describe("SqliteCounters", () => {
  test("what one meter holds or spends, the other cannot", () => {
    using folder = new Folder();
    const { one, other } = two(folder);
    const hold = held(one.hold(counter, 60, noon, false));
    expect(other.hold(counter, 41, noon, false)).toBeUndefined();
    one.settle(hold, 30);
    expect(other.taken(counter, noon)).toBe(30);
    expect(other.hold(counter, 70, noon, false)).toBeDefined();
    expect(one.hold(counter, 1, noon, false)).toBeUndefined();
    expect(one.hold(counter, 1, noon, true)).toBeDefined();
  });

  test("a hold grows only as far as both leave room", () => {
    using folder = new Folder();
    const { one, other } = two(folder);
    const hold = held(one.hold(counter, 10, noon, false));
    other.hold(counter, 50, noon, false);
    expect([one.resize(hold, 51, noon, false), one.resize(hold, 50, noon, false)]).toEqual([
      false,
      true,
    ]);
    expect(other.taken(counter, noon)).toBe(100);
    one.release(hold);
    expect(other.taken(counter, noon)).toBe(50);
  });

  test("what was spent survives a restart, what a killed meter held comes back after its lease", () => {
    using folder = new Folder();
    const { clock, open, one, other } = two(folder);
    one.settle(held(one.hold(counter, 20, noon, false)), 20);
    one.hold(counter, 80, noon, false);
    expect(open("third").hold(counter, 1, noon, false)).toBeUndefined();
    clock.nowMs += leaseMs + 1;
    expect(other.taken(counter, noon)).toBe(20);
    expect(open("fourth").hold(counter, 80, noon, false)).toBeDefined();
  });

  test("a lease that is renewed lasts", () => {
    using folder = new Folder();
    const { clock, one, other } = two(folder);
    one.hold(counter, 80, noon, false);
    clock.nowMs += leaseMs - 1;
    one.renew();
    clock.nowMs += leaseMs - 1;
    expect(other.hold(counter, 21, noon, false)).toBeUndefined();
  });

  test("closing gives back what is held, and the next hour is a full counter", () => {
    using folder = new Folder();
    const { one, other } = two(folder);
    one.hold(counter, 80, noon, false);
    other.settle(held(other.hold(counter, 20, noon, false)), 20);
    one.close();
    expect(other.taken(counter, noon)).toBe(20);
    expect(other.taken(counter, noon + 3_600_000)).toBe(0);
  });

  test("lists and resets by key", () => {
    using folder = new Folder();
    const { one, other } = two(folder);
    one.settle(held(one.hold(counter, 20, noon, false)), 20);
    one.hold(counter, 5, noon, false);
    expect(other.list()).toMatchObject([
      { key: counter.key, per: "hour", limit: 100, spent: 20, held: 5 },
    ]);
    expect([other.reset(() => false), other.reset((key) => key.startsWith("garden"))]).toEqual([
      0, 1,
    ]);
    expect(one.taken(counter, noon)).toBe(0);
  });
});
