import { expect, test } from "bun:test";
import { isWanted } from "#reports/record-choice.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../support/made-records.ts";

const all = { servers: [], tools: [] };
const range = { fromMs: Date.UTC(2026, 8, 1), toMs: Date.UTC(2026, 8, 2) };

const isIn = (ts: string): boolean => isWanted(callRecord({ ts }), { range, filters: all });

const wantedOf = (servers: readonly string[], tools: readonly string[]): boolean[] =>
  [
    callRecord({ tool: "search" }),
    callRecord({ tool: null, method: "resources/read" }),
    definitionsRecord(),
    sessionRecord(),
  ].map((record) => isWanted(record, { range, filters: { servers, tools } }));

test("a period has its first moment, not its end, and no time that cannot be read", () => {
  expect(isIn("2026-09-01T00:00:00.000Z")).toBe(true);
  expect(isIn("2026-09-01T23:59:59.999Z")).toBe(true);
  expect(isIn("2026-09-02T00:00:00.000Z")).toBe(false);
  expect(isIn("2026-08-31T23:59:59.999Z")).toBe(false);
  expect(isIn("yesterday")).toBe(false);
});

test("patterns of servers; patterns of tools leave calls and sessions", () => {
  expect(wantedOf(["gar*"], [])).toEqual([true, true, true, true]);
  expect(wantedOf(["other"], [])).toEqual([false, false, false, false]);
  expect(wantedOf([], ["s*"])).toEqual([true, false, false, true]);
  expect(wantedOf([], ["fetch"])).toEqual([false, false, false, true]);
});
