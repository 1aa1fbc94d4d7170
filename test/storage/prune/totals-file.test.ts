import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { noSums } from "#reports/sums.ts";
import type { DayTotal } from "#storage/prune/day-totals.ts";
import { readTotals, totalsPath, writeTotals } from "#storage/prune/totals-file.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const total: DayTotal = {
  day: "2026-09-01",
  server: "garden",
  method: "tools/call",
  tool: "search",
  client: null,
  model: "m",
  estimator: "chars3",
  is_estimated: false,
  sessions: 2,
  sums: { ...noSums(), calls: 3, max_tokens: 9 },
};

const saved = {
  zone: "Europe/Berlin",
  removing: ["sessions/2026-09-01/1.ndjson"],
  totals: [total],
};

test("totals are read as they were written, in a file of mode 0600", () => {
  using folder = new Folder();
  expect(readTotals(folder.path)).toBeUndefined();
  writeTotals(folder.path, saved);
  expect(readTotals(folder.path)).toEqual(saved);
  expect(statSync(totalsPath(folder.path)).mode & 0o777).toBe(0o600);
});

test("columns are found by name: one may be missing or unknown", () => {
  using folder = new Folder();
  const file = {
    format: "day-totals/1",
    zone: "UTC",
    removing: [],
    columns: ["server", "day", "calls", "newer"],
    rows: [["garden", "2026-09-01", 3, "x"]],
  };
  folder.file("day-totals.json", JSON.stringify(file));
  expect(readTotals(folder.path)?.totals[0]).toMatchObject({
    day: "2026-09-01",
    server: "garden",
    tool: null,
    sums: { calls: 3, errors: 0 },
  });
});

test("a file that is not totals is reported, not replaced", () => {
  using folder = new Folder();
  for (const text of [
    "",
    "{",
    "[]",
    '{"format": "day-totals/2"}',
    JSON.stringify({
      format: "day-totals/1",
      zone: "UTC",
      columns: [],
      rows: [],
      removing: ["../../etc/passwd"],
    }),
    JSON.stringify({
      format: "day-totals/1",
      zone: "Moon/Sea",
      columns: [],
      rows: [],
      removing: [],
    }),
  ]) {
    folder.file("day-totals.json", text);
    expect(thrownBy(() => readTotals(folder.path))).toStartWith("Cannot read the totals");
  }
});
