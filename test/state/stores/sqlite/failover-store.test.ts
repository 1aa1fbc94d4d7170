import { describe, expect, test } from "bun:test";
import type { Counter } from "#meter/budgets/counter.ts";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { BatchedCounters } from "#state/stores/sqlite/batched-counters.ts";
import { FailoverStore } from "#state/stores/sqlite/failover-store.ts";
import { peekAmounts } from "#state/stores/sqlite/sqlite-tables.ts";
import { SqliteStore } from "#state/stores/sqlite/sqlite-store.ts";
import { Folder } from "../../../support/folder.ts";
import { eventually } from "../../../support/wait.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 10 };

function failing(folder: Folder, policy: CounterFailurePolicy) {
  const path = folder.at("c.sqlite");
  const reported: string[] = [];
  const state = { isBroken: false, opened: [] as SqliteStore[] };
  const access = {
    open: (busyMaxMs: number) => {
      if (state.isBroken) throw new Error("it is on fire");
      const opened = new SqliteStore({ path, holder: crypto.randomUUID() }, { busyMaxMs });
      state.opened.push(opened);
      return opened;
    },
    peek: () => peekAmounts(path),
  };
  const report = (sentence: string): number => reported.push(sentence);
  const open = () => {
    const counters = new BatchedCounters(new FailoverStore({ access, policy, report }));
    return { counters, close: () => counters.close() };
  };
  const breakIt = (): void => {
    state.isBroken = true;
    for (const opened of state.opened.splice(0)) opened.close();
  };
  const repair = (): void => {
    state.isBroken = false;
  };
  const spentInFile = (): number | undefined => peekAmounts(path).get("k")?.spent;
  return { access, open, breakIt, repair, reported, spentInFile };
}

const lockForAMoment = `
  import { Database } from "bun:sqlite";
  import { writeSync } from "node:fs";
  const database = new Database(process.argv[1]);
  database.run("BEGIN EXCLUSIVE");
  writeSync(1, "locked");
  Bun.sleepSync(200);
  database.run("ROLLBACK");
`;

function spend(counters: BatchedCounters, amount: number, nowMs = noon): boolean {
  const hold = counters.hold(counter, amount, nowMs, false);
  if (hold) counters.settle(hold, amount);
  return hold !== undefined;
}

function failToPeek(): never {
  throw new Error("it is still on fire");
}

describe("FailoverStore", () => {
  test("local: what was known to be taken stays taken, by other meters too", () => {
    using folder = new Folder();
    const { open, breakIt, reported } = failing(folder, "local");
    const [first, second] = [open(), open()];
    spend(second.counters, 4);
    second.counters.flush();
    spend(first.counters, 3);
    breakIt();
    expect(spend(first.counters, 4)).toBe(false);
    expect(spend(first.counters, 3)).toBe(true);
    expect(spend(first.counters, 1)).toBe(false);
    expect(reported).toEqual([
      "Cannot use the shared budget counters (Database has closed); this session continues from the last known amounts",
    ]);
    first.close();
    second.close();
  });

  test("local: what other meters took in a window that this one did not begin stays taken", () => {
    using folder = new Folder();
    const { open, breakIt } = failing(folder, "local");
    const [first, second] = [open(), open()];
    const tomorrow = noon + 24 * 3_600_000;
    spend(first.counters, 4);
    first.counters.flush();
    spend(second.counters, 9, tomorrow);
    second.counters.flush();
    breakIt();
    expect(spend(first.counters, 2, tomorrow)).toBe(false);
    expect(spend(first.counters, 1, tomorrow)).toBe(true);
    expect(spend(first.counters, 1, tomorrow)).toBe(false);
    first.close();
    second.close();
  });

  test("local: a session that cannot open the store begins with the amounts in the file", () => {
    using folder = new Folder();
    const { open, breakIt, reported } = failing(folder, "local");
    const first = open();
    spend(first.counters, 8);
    first.counters.flush();
    breakIt();
    const { counters } = open();
    expect(spend(counters, 3)).toBe(false);
    expect(spend(counters, 2)).toBe(true);
    expect(reported).toHaveLength(1);
  });

  test("what was spent meanwhile is added once the store is back", async () => {
    using folder = new Folder();
    const { open, breakIt, repair, reported, spentInFile } = failing(folder, "local");
    const { counters, close } = open();
    spend(counters, 3);
    counters.flush();
    breakIt();
    spend(counters, 4);
    counters.flush();
    repair();
    await eventually("the store is back", () => reported.length === 2);
    expect([spentInFile(), counters.readStanding(counter, noon).taken]).toEqual([7, 7]);
    expect(reported[1]).toContain("are available again");
    close();
  });

  test("what was added is not added again if the store fails once more, and cannot be read", async () => {
    using folder = new Folder();
    const { access, breakIt, repair, reported, spentInFile } = failing(folder, "local");
    const report = (sentence: string): number => reported.push(sentence);
    const store = new FailoverStore({
      access: { ...access, peek: failToPeek },
      policy: "local",
      report,
    });
    const counters = new BatchedCounters(store);
    breakIt();
    spend(counters, 4);
    counters.flush();
    for (const reports of [2, 4]) {
      repair();
      await eventually("the store is back", () => reported.length === reports);
      expect(spentInFile()).toBe(4);
      breakIt();
      counters.readStanding(counter, noon);
    }
    repair();
    counters.close();
    expect(spentInFile()).toBe(4);
  });

  test("a server is named as soon as the store can be opened", async () => {
    using folder = new Folder();
    const { access, breakIt, repair, reported } = failing(folder, "local");
    breakIt();
    const report = (sentence: string): number => reported.push(sentence);
    const store = new FailoverStore({ access, policy: "local", report });
    store.nameServer("index.js-1a2b3c", "garden");
    repair();
    await eventually("the store is back", () => reported.length === 2);
    store.close();
    const reader = access.open(1_000);
    expect([...reader.listServerNames()]).toEqual([["index.js-1a2b3c", "garden"]]);
    reader.close();
  });

  test("closing is the last chance to add it, also to a file that was made anew", () => {
    using folder = new Folder();
    const { open, breakIt, repair, spentInFile } = failing(folder, "local");
    const { counters, close } = open();
    spend(counters, 3);
    breakIt();
    spend(counters, 4);
    for (const suffix of ["", "-journal"]) {
      folder.file(`c.sqlite${suffix}`, "");
    }
    repair();
    close();
    expect(spentInFile()).toBe(7);
  });

  test("closing waits for other meters that are busy with the file", async () => {
    using folder = new Folder();
    const { open, breakIt, repair, spentInFile } = failing(folder, "local");
    const { counters, close } = open();
    spend(counters, 3);
    breakIt();
    spend(counters, 4);
    repair();
    await using locker = Bun.spawn(["bun", "-e", lockForAMoment, folder.at("c.sqlite")]);
    await locker.stdout.getReader().read();
    close();
    expect(spentInFile()).toBe(7);
  });

  test("closed: grants nothing, and says that the counter cannot be reached", () => {
    using folder = new Folder();
    const { open, breakIt } = failing(folder, "closed");
    const { counters } = open();
    const hold = counters.hold(counter, 1, noon, false) ?? expect.unreachable();
    breakIt();
    expect(spend(counters, 1)).toBe(false);
    expect(counters.readStanding(counter, noon)).toMatchObject({ mayGrant: false });
    counters.settle(hold, 2);
    expect(counters.readStanding(counter, noon)).toMatchObject({ taken: 2 });
  });

  test("open: grants everything, and what passed is added later", () => {
    using folder = new Folder();
    const { open, breakIt, repair, spentInFile } = failing(folder, "open");
    const { counters, close } = open();
    breakIt();
    expect(spend(counters, 99)).toBe(true);
    repair();
    close();
    expect(spentInFile()).toBe(99);
  });
});
