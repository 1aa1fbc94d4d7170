import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Counter, Hold } from "#meter/budgets/counter.ts";
import { SqliteStore, readProcessIdentity } from "#state/stores/sqlite/sqlite-store.ts";
import { noCallAmounts } from "#state/stores/apply-change.ts";
import { BatchedCounters } from "#state/stores/sqlite/batched-counters.ts";
import { SqliteTables } from "#state/stores/sqlite/sqlite-tables.ts";
import { Folder } from "../../../support/folder.ts";
import { holdMaxMs } from "#state/stores/counter-lifetimes.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const day = 86_400_000;
const counter: Counter = { key: "garden\nsearch", per: "hour", limit: 100 };

function twoMeters(folder: Folder) {
  const clock = { nowMs: noon };
  const path = folder.at("state", "c.sqlite");
  const open = (holder: string) => {
    const store = new SqliteStore({ path, holder }, { now: () => clock.nowMs });
    return { store, counters: new BatchedCounters(store) };
  };
  return { path, clock, open, first: open("one"), second: open("other") };
}

type Meter = ReturnType<ReturnType<typeof twoMeters>["open"]>;

function granted(hold: Hold | undefined): Hold {
  if (!hold) throw new Error("there is room for it");
  return hold;
}

function reserve({ counters }: Meter, amount: number): Hold {
  const made = granted(counters.hold(counter, amount, noon, false));
  counters.flush();
  return made;
}

const taken = ({ store }: Meter): number => store.read(counter, noon).taken;

function disown(path: string, holder: string, mark: { pid: number; space: string }): void {
  const tables = new SqliteTables(path, 1_000);
  const row = tables.listHolders().find((candidate) => candidate.holder === holder);
  if (row) tables.putHolder({ ...row, ...mark });
  tables.close();
}

describe("SqliteStore", () => {
  test("makes a folder and a file that only their user can read", () => {
    using folder = new Folder();
    twoMeters(folder);
    expect(statSync(folder.at("state")).mode & 0o777).toBe(0o700);
    for (const name of ["c.sqlite", "c.sqlite-journal"]) {
      expect(statSync(folder.at("state", name)).mode & 0o777).toBe(0o600);
    }
  });

  test("what one meter holds or spends, another cannot", () => {
    using folder = new Folder();
    const { first, second } = twoMeters(folder);
    const hold = reserve(first, 60);
    expect(second.counters.hold(counter, 41, noon, false)).toBeUndefined();
    first.counters.settle(hold, 30);
    first.counters.flush();
    expect(taken(second)).toBe(30);
    reserve(second, 70);
    expect(first.counters.hold(counter, 1, noon, false)).toBeUndefined();
    granted(first.counters.hold(counter, 1, noon, true));
  });

  test("what was spent survives a restart, and a killed meter's holds are free at once", () => {
    using folder = new Folder();
    const { path, open, first, second } = twoMeters(folder);
    first.counters.settle(reserve(first, 20), 20);
    reserve(first, 80);
    expect(open("third").counters.hold(counter, 1, noon, false)).toBeUndefined();
    const space = readProcessIdentity()?.space ?? "";
    disown(path, "one", { pid: 2 ** 22 + 1, space });
    reserve(second, 80);
    expect(taken(second)).toBe(100);
  });

  test("what a killed meter had pledged is spent", () => {
    using folder = new Folder();
    const { path, first, second } = twoMeters(folder);
    const applied = first.store.apply({
      counter,
      nowMs: noon,
      window: undefined,
      open: 0,
      unwritten: 0,
      current: noCallAmounts,
      next: { held: 0, spent: 20 },
      advance: 8,
      isForced: false,
      keepsWindow: false,
    });
    expect(applied.share).toMatchObject({ held: 8, pledged: 8 });
    disown(path, "one", { pid: 2 ** 22 + 1, space: readProcessIdentity()?.space ?? "" });
    second.store.renew();
    expect(second.store.read(counter, noon)).toMatchObject({ spent: 28, held: 0 });
  });

  test("holds of a process that this one cannot see last until their lease ends", () => {
    using folder = new Folder();
    const { path, clock, first, second } = twoMeters(folder);
    reserve(first, 80);
    disown(path, "one", { pid: 2 ** 22 + 1, space: "another machine" });
    expect(second.counters.hold(counter, 21, noon, false)).toBeUndefined();
    clock.nowMs += holdMaxMs + 1;
    reserve(second, 100);
  });

  test("a meter that runs keeps its holds, however long it was stopped", () => {
    using folder = new Folder();
    const { clock, first, second } = twoMeters(folder);
    reserve(first, 80);
    clock.nowMs += holdMaxMs + 1;
    second.store.renew();
    expect(taken(second)).toBe(80);
  });

  test("closing gives back what is held", () => {
    using folder = new Folder();
    const { first, second } = twoMeters(folder);
    reserve(first, 80);
    second.counters.settle(reserve(second, 20), 20);
    first.store.close();
    expect(taken(second)).toBe(20);
  });

  test("lists counters and resets those that are chosen by key", () => {
    using folder = new Folder();
    const { first, second } = twoMeters(folder);
    first.counters.settle(reserve(first, 20), 20);
    reserve(first, 5);
    expect(second.store.list()).toMatchObject([
      { key: counter.key, per: "hour", limit: 100, spent: 20, held: 5 },
    ]);
    expect(second.store.reset(() => false)).toBe(0);
    expect(second.store.reset((key) => key.startsWith("garden"))).toBe(1);
    expect([taken(first), first.store.list()]).toEqual([0, []]);
  });

  test("keeps the names of servers, which may change", () => {
    using folder = new Folder();
    const { first, second } = twoMeters(folder);
    first.store.nameServer("index.js-1a2b3c", "garden");
    first.store.nameServer("index.js-1a2b3c", "orchard");
    expect([...second.store.listServerNames()]).toEqual([["index.js-1a2b3c", "orchard"]]);
  });

  test("forgets a counter 40 days after it was last used", () => {
    using folder = new Folder();
    const { clock, first } = twoMeters(folder);
    first.counters.settle(reserve(first, 20), 20);
    first.counters.flush();
    clock.nowMs += 40 * day;
    first.store.renew();
    expect(first.store.list()).toHaveLength(1);
    clock.nowMs += 1;
    first.store.renew();
    expect(first.store.list()).toEqual([]);
  });
});
