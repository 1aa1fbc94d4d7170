import { holdMaxMs } from "#limits.ts";
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Counter, Hold } from "#budgets/counter.ts";
import { SqliteCounters } from "#stores/sqlite.ts";
import { Folder } from "../support/folder.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const day = 86_400_000;
const counter: Counter = { key: "garden\nsearch", per: "hour", limit: 100 };
const resizing = { isForced: false, isSpent: false };

/** Two meters on one file, with a clock that the test sets. */
function twoMeters(folder: Folder) {
  const clock = { nowMs: noon };
  const open = (holder: string) =>
    new SqliteCounters({ path: folder.at("state", "c.sqlite"), holder }, () => clock.nowMs);
  return { clock, open, one: open("one"), other: open("other") };
}

function granted(hold: Hold | undefined): Hold {
  if (!hold) throw new Error("there is room for it");
  return hold;
}

describe("SqliteCounters", () => {
  test("makes a folder and a file that only their user can read", () => {
    using folder = new Folder();
    twoMeters(folder);
    expect(statSync(folder.at("state")).mode & 0o777).toBe(0o700);
    for (const name of ["c.sqlite", "c.sqlite-wal", "c.sqlite-shm"]) {
      expect(statSync(folder.at("state", name)).mode & 0o777).toBe(0o600);
    }
  });

  test("what one meter holds or spends, another cannot", () => {
    using folder = new Folder();
    const { one, other } = twoMeters(folder);
    const hold = granted(one.hold(counter, 60, noon, false));
    expect(other.hold(counter, 41, noon, false)).toBeUndefined();
    one.settle(hold, 30);
    expect(other.taken(counter, noon)).toBe(30);
    granted(other.hold(counter, 70, noon, false));
    expect(one.hold(counter, 1, noon, false)).toBeUndefined();
    granted(one.hold(counter, 1, noon, true));
  });

  test("a hold grows only as far as all meters leave room", () => {
    using folder = new Folder();
    const { one, other } = twoMeters(folder);
    const hold = granted(one.hold(counter, 10, noon, false));
    granted(other.hold(counter, 50, noon, false));
    expect(one.resize(hold, 51, noon, resizing)).toBe(false);
    expect(one.resize(hold, 50, noon, resizing)).toBe(true);
    expect(other.taken(counter, noon)).toBe(100);
    one.release(hold);
    expect(other.taken(counter, noon)).toBe(50);
  });

  test("what was spent survives a restart, and a killed meter's holds are given back after their lease", () => {
    using folder = new Folder();
    const { clock, open, one, other } = twoMeters(folder);
    one.settle(granted(one.hold(counter, 20, noon, false)), 20);
    granted(one.hold(counter, 80, noon, false));
    expect(open("third").hold(counter, 1, noon, false)).toBeUndefined();
    clock.nowMs += holdMaxMs + 1;
    expect(other.taken(counter, noon)).toBe(20);
    granted(open("fourth").hold(counter, 80, noon, false));
  });

  test("a renewed lease lasts", () => {
    using folder = new Folder();
    const { clock, one, other } = twoMeters(folder);
    granted(one.hold(counter, 80, noon, false));
    clock.nowMs += holdMaxMs - 1;
    one.renew();
    clock.nowMs += holdMaxMs - 1;
    expect(other.hold(counter, 21, noon, false)).toBeUndefined();
  });

  test("resizing a hold whose lease has ended holds it again", () => {
    using folder = new Folder();
    const { clock, one, other } = twoMeters(folder);
    const hold = granted(one.hold(counter, 80, noon, false));
    clock.nowMs += holdMaxMs + 1;
    other.renew();
    expect(other.taken(counter, noon)).toBe(0);
    expect(one.resize(hold, 70, noon, resizing)).toBe(true);
    expect(other.taken(counter, noon)).toBe(70);
  });

  test("closing gives back what is held", () => {
    using folder = new Folder();
    const { one, other } = twoMeters(folder);
    granted(one.hold(counter, 80, noon, false));
    other.settle(granted(other.hold(counter, 20, noon, false)), 20);
    one.close();
    expect(other.taken(counter, noon)).toBe(20);
  });

  test("lists counters and resets those that are chosen by key", () => {
    using folder = new Folder();
    const { one, other } = twoMeters(folder);
    one.settle(granted(one.hold(counter, 20, noon, false)), 20);
    granted(one.hold(counter, 5, noon, false));
    expect(other.list()).toMatchObject([
      { key: counter.key, per: "hour", limit: 100, spent: 20, held: 5 },
    ]);
    expect(other.reset(() => false)).toBe(0);
    expect(other.reset((key) => key.startsWith("garden"))).toBe(1);
    expect([one.taken(counter, noon), one.list()]).toEqual([0, []]);
  });

  test("forgets a counter 40 days after it was last used", () => {
    using folder = new Folder();
    const { clock, one } = twoMeters(folder);
    one.settle(granted(one.hold(counter, 20, noon, false)), 20);
    clock.nowMs += 40 * day;
    one.renew();
    expect(one.list()).toHaveLength(1);
    clock.nowMs += 1;
    one.renew();
    expect(one.list()).toEqual([]);
  });
});
