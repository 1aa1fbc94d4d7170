import { expect, test } from "bun:test";
import { makeSums } from "#history/reports/usage-sums.ts";
import type { DayTotal } from "#history/reports/removed-usage.ts";
import { totalsColumns, makeRowReader, makeRow } from "#state/storage/prune/totals-file.ts";

const total: DayTotal = {
  day: "2026-09-01",
  server: "garden",
  method: "tools/call",
  tool: null,
  client: "host",
  model: null,
  estimation: {
    estimator: "o200k",
    method: "bpe",
    encoding: "o200k_base",
    error: "±2 %",
    confidence: "high",
    is_estimated: true,
  },
  sessions: 2,
  sums: { ...makeSums(), calls: 3, max_tokens: 9 },
};

test("a row is read as it was written, whatever the order of columns", () => {
  const row = makeRow(total);
  expect(row).toHaveLength(totalsColumns.length);
  expect(makeRowReader(totalsColumns)(row)).toEqual(total);
  expect(makeRowReader(totalsColumns.toReversed())(row.toReversed())).toEqual(total);
  const unknown = { ...total, estimation: null };
  expect(makeRowReader(totalsColumns)(makeRow(unknown))).toEqual(unknown);
});

test("columns are found by name: one may be missing or unknown", () => {
  const read = makeRowReader(["server", "day", "calls", "estimator", "newer"]);
  expect(read(["garden", "2026-09-01", 3, "o200k", "x"])).toEqual({
    day: "2026-09-01",
    server: "garden",
    method: "",
    tool: null,
    client: null,
    model: null,
    estimation: null,
    sessions: 0,
    sums: { ...makeSums(), calls: 3 },
  });
});

test("a value that its column cannot have counts as none", () => {
  const read = makeRowReader(["day", "tool", "calls", "errors", "sessions"]);
  expect(read([7, true, "12", -5, null])).toMatchObject({
    day: "",
    tool: null,
    sessions: 0,
    sums: { calls: 0, errors: 0 },
  });
});
