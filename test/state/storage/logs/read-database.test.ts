import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { readDatabase } from "#state/storage/logs/read-database.ts";
import type { JsonObject } from "#wire/json.ts";
import { Folder } from "../../../support/folder.ts";

const queries = [
  { table: "message", sql: "SELECT id, data FROM message ORDER BY rowid" },
  { table: "part", sql: "SELECT id FROM part" },
];

function readRows(path: string, isImmutable = true, rowsMax?: number) {
  const rows: JsonObject[] = [];
  const counts = { bad: 0, unknown: 0 };
  const taker = {
    takeRow: (table: string, row: JsonObject) => void rows.push({ table, ...row }),
    skip: (number: number) => void (counts.bad += number),
    countUnknown: () => void (counts.unknown += 1),
  };
  const fault = readDatabase({ path, isImmutable }, queries, taker, rowsMax);
  return { rows, fault, ...counts };
}

function made(folder: Folder, ...statements: readonly string[]): string {
  const path = folder.at("a b?.db");
  using database = new Database(path);
  for (const statement of statements) database.run(statement);
  return path;
}

const tablesMissing = "it contains none of the client's tables";
const tables = ["CREATE TABLE message (id, data)", "CREATE TABLE part (id)"];
const filled = `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 400) INSERT INTO message SELECT v, hex(zeroblob(200)) FROM n`;

describe("readDatabase", () => {
  test("passes the rows of each query with the name of its table", () => {
    using folder = new Folder();
    const path = made(
      folder,
      ...tables,
      "INSERT INTO message VALUES (1, 'x')",
      "INSERT INTO part VALUES (2)",
    );
    const expected = [
      { table: "message", id: 1, data: "x" },
      { table: "part", id: 2 },
    ];
    expect(readRows(path)).toEqual({ rows: expected, fault: undefined, bad: 0, unknown: 0 });
    expect(readRows(path, false).rows).toEqual(expected);
  });

  test("a table that is missing or another kind is counted; without any, there is a fault", () => {
    using folder = new Folder();
    const path = made(
      folder,
      "CREATE TABLE message (id, data)",
      "CREATE VIEW part AS SELECT 1 AS id",
    );
    expect(readRows(path)).toMatchObject({ rows: [], fault: undefined, unknown: 1 });
    using second = new Folder();
    expect(readRows(made(second, "CREATE TABLE x (a)")).fault).toBe(tablesMissing);
    using third = new Folder();
    expect(readRows(made(third, "CREATE TABLE message (a)")).fault).toBe(
      "it has an unknown format",
    );
  });

  test("a table of an unknown format is the fault, also if another table is missing", () => {
    for (const statement of ["CREATE TABLE message (a)", "CREATE TABLE part (a)"]) {
      using folder = new Folder();
      const { fault, unknown } = readRows(made(folder, statement));
      expect([fault, unknown]).toEqual(["it has an unknown format", 2]);
    }
  });

  const virtual = "CREATE VIRTUAL TABLE part USING fts5(a,   id)";
  test.each([virtual, "CREATE/**/VIRTUAL TABLE part USING fts5(a,id)"])(
    "a virtual table is not read: %s",
    (written) => {
      using folder = new Folder();
      const path = made(folder, virtual);
      const bytes = readFileSync(path, "latin1");
      expect(bytes).toContain(virtual);
      writeFileSync(path, bytes.replace(virtual, written), "latin1");
      expect(readRows(path)).toMatchObject({ rows: [], fault: tablesMissing });
    },
  );

  test.each([
    ["a text", Buffer.from("not a database ".repeat(100)), /^(?:SQLITE_NOTADB)$/],
    ["an empty file", Buffer.alloc(0), /^it contains none of the client's tables/],
    ["zeros", Buffer.alloc(4096), /./],
  ] as const)("%s is a fault", (_, bytes, fault) => {
    using folder = new Folder();
    const path = folder.file("x.db", bytes);
    expect(readRows(path).fault).toMatch(fault);
  });

  test("a database that is cut anywhere has no row more than the whole", () => {
    using folder = new Folder();
    const path = made(folder, ...tables, filled);
    const bytes = readFileSync(path);
    expect(readRows(path).rows).toHaveLength(400);
    for (let cut = 0; cut < bytes.length; cut += 1499) {
      writeFileSync(path, bytes);
      truncateSync(path, cut);
      const { rows, fault, bad } = readRows(path);
      expect(rows.length).toBeLessThanOrEqual(400);
      expect(rows.length === 400 || fault !== undefined || bad > 0 || rows.length < 400).toBe(true);
    }
  });

  test("a damaged page ends its table, and is counted", () => {
    using folder = new Folder();
    const path = made(folder, ...tables, filled);
    const bytes = readFileSync(path);
    bytes.fill(0xff, Math.floor(bytes.length / 8192) * 4096);
    writeFileSync(path, bytes);
    const { rows, fault, bad } = readRows(path);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(400);
    expect([fault, bad]).toEqual([undefined, 1]);
  });

  test("random damage never throws", () => {
    using folder = new Folder();
    const path = made(folder, ...tables, filled);
    const original = readFileSync(path);
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let run = 0; run < 60; run += 1) {
      const bytes = Buffer.from(original);
      for (let at = 0; at < 30; at += 1) bytes[random(bytes.length)] = random(256);
      writeFileSync(path, bytes);
      expect(() => readRows(path)).not.toThrow();
    }
  });

  test("rows beyond the limit of a table are counted as one", () => {
    using folder = new Folder();
    const path = made(folder, ...tables, filled);
    expect(readRows(path, true, 400)).toMatchObject({ bad: 0 });
    const { rows, bad } = readRows(path, true, 399);
    expect([rows.length, bad]).toEqual([399, 1]);
  });
});
