import { expect, test } from "bun:test";
import { Totals } from "#records/totals.ts";
import { callRecord } from "../support/made-records.ts";

test("Totals adds up calls and their tokens, and hands the records on", () => {
  const totals = new Totals();
  const records = [callRecord({ total_tokens: 3 }), callRecord({ total_tokens: 4 })];
  expect(totals.add(records)).toBe(records);
  expect([totals.calls, totals.tokens]).toEqual([2, 7]);
});
