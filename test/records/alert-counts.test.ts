import { expect, test } from "bun:test";
import { AlertCounts } from "#records/ledger.ts";
import { alertRecord } from "../support/made-records.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

test("AlertCounts counts by kind and tool, with the detail of the highest, of equal ones the newest", () => {
  const counts = new AlertCounts();
  counts.add(alertRecord());
  counts.add(alertRecord({ detail: "newer" }));
  counts.add(alertRecord({ value: 8_500, detail: "lower" }));
  counts.add(alertRecord({ tool: "other" }));
  counts.add(alertRecord({ alert: "repeated_call" }));
  expect(counts.summarize()).toEqual([
    { alert: "heavy_call", tool: "search", value: 9_000, detail: "newer", count: 3 },
    { alert: "heavy_call", tool: "other", value: 9_000, detail: "9,000 tokens", count: 1 },
    { alert: "repeated_call", tool: "search", value: 9_000, detail: "9,000 tokens", count: 1 },
  ]);
});

test(`AlertCounts keeps ${toolRowsMax} alerts apart and goes on counting those`, () => {
  const counts = new AlertCounts();
  for (let at = 0; at <= toolRowsMax; at += 1) counts.add(alertRecord({ tool: `t${at}` }));
  counts.add(alertRecord({ tool: "t0" }));
  const alerts = counts.summarize();
  expect([alerts.length, alerts[0]?.count]).toEqual([toolRowsMax, 2]);
});
