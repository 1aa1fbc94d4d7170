import { expect, test } from "bun:test";
import { toolRowsMax } from "#limits.ts";
import { AlertCounts } from "#records/alert-counts.ts";
import { alertRecord } from "../support/made-records.ts";

test("AlertCounts counts by kind and tool, with the newest detail", () => {
  const counts = new AlertCounts();
  counts.add(alertRecord());
  counts.add(alertRecord({ detail: "newer" }));
  counts.add(alertRecord({ tool: "other" }));
  counts.add(alertRecord({ alert: "repeated_call" }));
  expect(counts.summarize()).toEqual([
    { alert: "heavy_call", tool: "search", detail: "newer", count: 2 },
    { alert: "heavy_call", tool: "other", detail: "9,000 tokens", count: 1 },
    { alert: "repeated_call", tool: "search", detail: "9,000 tokens", count: 1 },
  ]);
});

test(`AlertCounts keeps ${toolRowsMax} alerts apart and goes on counting those`, () => {
  const counts = new AlertCounts();
  for (let at = 0; at <= toolRowsMax; at += 1) counts.add(alertRecord({ tool: `t${at}` }));
  counts.add(alertRecord({ tool: "t0" }));
  const alerts = counts.summarize();
  expect([alerts.length, alerts[0]?.count]).toEqual([toolRowsMax, 2]);
});
