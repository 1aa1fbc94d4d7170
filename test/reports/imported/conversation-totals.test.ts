import { expect, test } from "bun:test";
import { PriceBook } from "#money/price-book.ts";
import { tokenPrices } from "#money/token-prices.ts";
import { Cube } from "#reports/cube.ts";
import { conversationTotals } from "#reports/imported/conversation-totals.ts";
import { ImportedHistory } from "#reports/imported/imported-history.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { call, noon, threeTurns } from "./made-history.ts";

const opus = tokenPrices({ input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25 });
const prices = new PriceBook("test", [(model) => (model === "unknown" ? undefined : opus)]);
const all = { fromMs: -Infinity, toMs: Infinity };

function totals(records: readonly Parameters<ImportedHistory["add"]>[0][], range = all) {
  const history = new ImportedHistory();
  for (const record of records) history.add(record);
  const cube = new Cube({ ranges: [all], zone: new TimeZone("UTC") });
  cube.add(sessionRecord({ server: "docs" }));
  cube.add(definitionsRecord({ server: "docs" }));
  return conversationTotals(history, cube.facts(), { range, prices });
}

test("calls, definitions and everything else add up to the whole", () => {
  const found = totals([...threeTurns, call(0)]);
  // 5,000 × 5 and 100 × 25; 5,000 × 0.5 and 1,100 × 6.25; 6,100 × 0.5.
  expect(found?.whole).toBe(25_000_000 + 2_500_000 + 2_500_000 + 6_875_000 + 3_050_000);
  expect(found?.definitions).toBeGreaterThan(0);
  expect((found?.calls ?? 0) + (found?.definitions ?? 0) + (found?.other ?? 0)).toBe(
    found?.whole ?? -1,
  );
});

test("a conversation counts when one of its calls is in the period", () => {
  const records = [...threeTurns, call(0)];
  expect(totals(records, { fromMs: noon, toMs: noon + 501 })?.conversations).toBe(1);
  expect(totals(records, { fromMs: noon + 501, toMs: Infinity })).toBeUndefined();
});

test("turns without a price are counted apart", () => {
  const records = threeTurns.map((turn) => ({ ...turn, model: "unknown" }));
  expect(totals([...records, call(0)])).toMatchObject({ whole: 0, calls: 0, unpricedTurns: 3 });
});
