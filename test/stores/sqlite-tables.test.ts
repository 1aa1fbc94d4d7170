import { describe, expect, test } from "bun:test";
import { SqliteTables } from "#stores/sqlite-tables.ts";
import { Folder, thrownBy } from "../support/folder.ts";

const row = { key: "k", per: "day", most: 10, window: 7, spent: 3 };
const counter = { key: "k", per: "day", limit: 10 } as const;

describe("SqliteTables", () => {
  test("keeps counters from one opening to the next", () => {
    using folder = new Folder();
    const tables = new SqliteTables(folder.at("c.sqlite"));
    expect(tables.counter("k")).toBeUndefined();
    tables.putCounter(row, 0);
    tables.close();
    expect(new SqliteTables(folder.at("c.sqlite")).counters()).toEqual([row]);
  });

  test("adds to what is spent in the current window only, and never below zero", () => {
    using folder = new Folder();
    const tables = new SqliteTables(folder.at("c.sqlite"));
    tables.putCounter(row, 0);
    tables.addSpent(counter, 6, 5, 0);
    tables.addSpent(counter, 7, 4, 0);
    expect(tables.counter("k")?.spent).toBe(7);
    tables.addSpent(counter, 7, -9, 0);
    expect(tables.counter("k")?.spent).toBe(0);
  });

  test("sums the holds of a window that have not expired, except one", () => {
    using folder = new Folder();
    const tables = new SqliteTables(folder.at("c.sqlite"));
    const hold = { key: "k", window: 7, amount: 4, endsMs: 100 };
    tables.insertHold({ holder: "one", id: 1 }, hold);
    tables.insertHold({ holder: "other", id: 1 }, { ...hold, amount: 2 });
    tables.insertHold({ holder: "one", id: 2 }, { ...hold, window: 6 });
    tables.insertHold({ holder: "one", id: 3 }, { ...hold, endsMs: 99 });
    expect(tables.held("k", 7, 100)).toBe(6);
    expect(tables.held("k", 7, 99, { holder: "one", id: 1 })).toBe(6);
    tables.deleteExpiredHolds(100);
    tables.deleteHoldsOf("other");
    tables.deleteHold({ holder: "one", id: 1 });
    expect([tables.held("k", 7, 0), tables.held("k", 6, 0)]).toEqual([0, 4]);
  });

  test("a transaction that throws changes nothing", () => {
    using folder = new Folder();
    const tables = new SqliteTables(folder.at("c.sqlite"));
    const failing = (): void =>
      tables.transaction(() => {
        tables.putCounter(row, 0);
        throw new Error("halfway");
      });
    expect(thrownBy(failing)).toBe("halfway");
    expect(tables.counters()).toEqual([]);
  });

  test("throws for a file that is not a database", () => {
    using folder = new Folder();
    const file = folder.file("c.sqlite", "not a database, and long enough to be one ".repeat(40));
    expect(thrownBy(() => new SqliteTables(file))).toContain("not a database");
  });
});
