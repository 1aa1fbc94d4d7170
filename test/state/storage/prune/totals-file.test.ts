import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { makeSums } from "#history/reports/usage-sums.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import type { DayTotal } from "#history/reports/removed-usage.ts";
import {
  readTotals,
  locateTotals,
  readTotalsStamp,
  writeTotals,
} from "#state/storage/prune/totals-file.ts";
import { Folder, thrownBy } from "../../../support/folder.ts";

const total: DayTotal = {
  day: "2026-09-01",
  server: "garden",
  method: "tools/call",
  tool: "search",
  client: null,
  model: "m",
  estimation: {
    estimator: "chars3",
    method: "characters",
    encoding: "3 characters a token",
    error: "±30 %",
    confidence: "low",
    is_estimated: false,
  },
  sessions: 2,
  sums: { ...makeSums(), calls: 3, max_tokens: 9 },
};

const saved = {
  zone: new TimeZone("Europe/Berlin"),
  removing: ["sessions/2026-09-01/1.ndjson"],
  totals: [total],
};

test("totals are read as they were written, in a file of mode 0600", () => {
  using folder = new Folder();
  expect(readTotals(folder.path)).toBeUndefined();
  writeTotals(folder.path, saved);
  const { zone, ...read } = readTotals(folder.path) ?? {};
  expect([zone?.name, read]).toEqual([
    "Europe/Berlin",
    { removing: saved.removing, totals: saved.totals },
  ]);
  expect(statSync(locateTotals(folder.path)).mode & 0o777).toBe(0o600);
});

test("a version stands for the content: each replacement has another", () => {
  using folder = new Folder();
  expect(readTotalsStamp(folder.path)).toBe("");
  writeTotals(folder.path, saved);
  const first = readTotalsStamp(folder.path);
  expect(readTotalsStamp(folder.path)).toBe(first);
  writeTotals(folder.path, saved);
  expect(readTotalsStamp(folder.path)).not.toBe(first);
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

test("a file that was cut off is one that is not JSON, with the line", () => {
  using folder = new Folder();
  folder.file("day-totals.json", '{"format": "day-totals/1",\n"zone": "U');
  expect(thrownBy(() => readTotals(folder.path))).toContain("line 2: not valid JSON");
});
