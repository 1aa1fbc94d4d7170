import { describe, expect, test } from "bun:test";
import { SqliteTables } from "#state/stores/sqlite/sqlite-tables.ts";
import { Folder, thrownBy } from "../../../support/folder.ts";

const row = { key: "k", per: "day", most: 10, action: "error", window: 7, spent: 3, held: 4 };
const share = { key: "k", holder: "one", window: 7, held: 4, pledged: 1 };

function openTables(folder: Folder): SqliteTables {
  return new SqliteTables(folder.file("c.sqlite", ""), 100);
}

describe("SqliteTables", () => {
  test("keeps counters, shares and holders from one opening to the next", () => {
    using folder = new Folder();
    const tables = openTables(folder);
    const holder = { holder: "one", pid: 1, started: "2", space: "s", ends_ms: 3 };
    expect([tables.readCounter("k"), tables.readShare("k", "one")]).toEqual([undefined, undefined]);
    tables.putCounter(row, 0);
    tables.putShare(share);
    tables.putHolder(holder);
    tables.close();
    const again = new SqliteTables(folder.at("c.sqlite"), 100);
    expect(again.listCounters()).toEqual([row]);
    expect([again.listCounterShares("k"), again.listHolderShares("one")]).toEqual([
      [share],
      [share],
    ]);
    expect(again.listHolders()).toEqual([holder]);
  });

  test("deletes a counter with its shares, and what was not used since a time", () => {
    using folder = new Folder();
    const tables = openTables(folder);
    tables.putCounter(row, 10);
    tables.putShare(share);
    tables.deleteUntouched(10);
    expect(tables.listCounters()).toHaveLength(1);
    tables.deleteCounter("k");
    expect([tables.listCounters(), tables.listCounterShares("k")]).toEqual([[], []]);
  });

  test("a transaction that throws changes nothing", () => {
    using folder = new Folder();
    const tables = openTables(folder);
    const failing = (): void =>
      tables.transaction(() => {
        tables.putCounter(row, 0);
        throw new Error("halfway");
      });
    expect(thrownBy(failing)).toBe("halfway");
    expect(tables.listCounters()).toEqual([]);
  });

  test("waits for another one's transaction, and gives up", () => {
    using folder = new Folder();
    const [tables, second] = [openTables(folder), new SqliteTables(folder.at("c.sqlite"), 20)];
    tables.transaction(() => {
      expect(thrownBy(() => second.transaction(() => undefined))).toContain("locked");
    });
    second.transaction(() => undefined);
  });

  test("throws for a file of another layout, and for one that is not a database", () => {
    using folder = new Folder();
    const file = folder.file("c.sqlite", "not a database, and long enough to be one ".repeat(40));
    expect(thrownBy(() => new SqliteTables(file, 100))).toContain("not a database");
  });
});
