import { expect, test } from "bun:test";
import { SeenRecords } from "#history/reports/record-filter.ts";
import { reportSessionsMax } from "#records/ledger.ts";

test("a record is new once, by its session and number", () => {
  const seen = new SeenRecords();
  const isNew = (session_id: string, seq: number): boolean => seen.isNew({ session_id, seq });
  expect([isNew("a", 0), isNew("a", 0), isNew("b", 0), isNew("a", 1_000_000)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test("sessions beyond the limit are not new, and those before it still are", () => {
  const seen = new SeenRecords();
  for (let at = 0; at < reportSessionsMax; at += 1) seen.isNew({ session_id: `s${at}`, seq: 0 });
  expect(seen.isNew({ session_id: "one more", seq: 0 })).toBe(false);
  expect(seen.isNew({ session_id: "s0", seq: 1 })).toBe(true);
});
