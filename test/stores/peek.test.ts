import { expect, test } from "bun:test";
import { peekAmounts } from "#stores/peek.ts";
import { SqliteTables } from "#stores/sqlite-tables.ts";
import { Folder, thrownBy } from "../support/folder.ts";

test("peekAmounts reads what was committed, while another one has the file", () => {
  using folder = new Folder();
  const tables = new SqliteTables(folder.file("a b%20#?.sqlite", ""), 100);
  const row = { key: "k", per: "day", most: 10, window: 7, spent: 3, held: 4 };
  tables.transaction(() => tables.putCounter(row, 0));
  tables.transaction(() => {
    const amounts = peekAmounts(folder.at("a b%20#?.sqlite"));
    expect([...amounts]).toEqual([["k", { window: 7, spent: 3, held: 4 }]]);
  });
});

test("peekAmounts throws when there is no store", () => {
  using folder = new Folder();
  expect(thrownBy(() => peekAmounts(folder.at("none")))).toContain("ENOENT");
  expect(thrownBy(() => peekAmounts(folder.path))).toBe("it is not a regular file");
});
