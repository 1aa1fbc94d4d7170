import { expect, test } from "bun:test";
import type { MeterRecord } from "#records/record.ts";
import { RecordFilter } from "#history/reports/record-filter.ts";
import {
  alertRecord,
  callRecord,
  definitionsRecord,
  sessionRecord,
} from "../../support/made-records.ts";

const all = { servers: [], tools: [] };
const range = { fromMs: Date.UTC(2026, 8, 1), toMs: Date.UTC(2026, 8, 2) };

function isWanted(
  record: MeterRecord,
  filters: { readonly servers: readonly string[]; readonly tools: readonly string[] },
): boolean {
  const filter = new RecordFilter({ range, filters });
  return filter.isWanted({ record, ms: filter.readTime(record) });
}

const isIn = (ts: string): boolean => isWanted(callRecord({ ts }), all);

const filterRecords = (servers: readonly string[], tools: readonly string[]): boolean[] =>
  [
    callRecord({ tool: "search" }),
    callRecord({ tool: null, method: "resources/read" }),
    definitionsRecord(),
    sessionRecord(),
    alertRecord({ tool: "search" }),
  ].map((record) => isWanted(record, { servers, tools }));

test("a period includes its beginning, excludes its end, and excludes unreadable times", () => {
  expect(isIn("2026-09-01T00:00:00.000Z")).toBe(true);
  expect(isIn("2026-09-01T23:59:59.999Z")).toBe(true);
  expect(isIn("2026-09-02T00:00:00.000Z")).toBe(false);
  expect(isIn("2026-08-31T23:59:59.999Z")).toBe(false);
  // Without a zone, a time would depend on the reader's machine.
  for (const ts of ["yesterday", "2026-09-01", "2026-09-01T12:00:00.000"]) {
    expect(isIn(ts)).toBe(false);
  }
  expect(isIn("2026-09-01T23:30:00-02:00")).toBe(false);
});

test("patterns choose servers; patterns for tools choose calls and their alerts, and all sessions", () => {
  expect(filterRecords(["gar*"], [])).toEqual([true, true, true, true, true]);
  expect(filterRecords(["other"], [])).toEqual([false, false, false, false, false]);
  expect(filterRecords([], ["s*"])).toEqual([true, false, false, true, true]);
  expect(filterRecords([], ["fetch"])).toEqual([false, false, false, true, false]);
});
