import { expect, test } from "bun:test";
import type { ImportedRecord } from "#records/imported-record.ts";
import {
  ConversationSums,
  type ConversationTotals,
} from "#reports/imported/conversation-totals.ts";
import { costedConversation } from "#reports/imported/logged-cost.ts";
import { definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { allTime, conversationOf, costPlan, knownFrom } from "./cost-plan.ts";
import { call, noon, threeTurns, toolList } from "./made-history.ts";

const wire = [sessionRecord({ server: "docs" }), definitionsRecord({ server: "docs" })];

function totals(
  records: readonly ImportedRecord[],
  range = allTime,
): ConversationTotals | undefined {
  const conversation = conversationOf(records);
  const sums = new ConversationSums(range);
  const plan = costPlan({ range, known: knownFrom(wire) });
  sums.add(conversation, costedConversation(conversation, plan));
  return sums.totals;
}

test("calls, definitions and everything else add up to the whole", () => {
  const found = totals([...threeTurns, call(0)]);
  // 5,000 × 5 and 100 × 25; 5,000 × 0.5 and 1,100 × 6.25; 6,100 × 0.5.
  expect(found?.whole).toBe(25_000_000 + 2_500_000 + 2_500_000 + 6_875_000 + 3_050_000);
  expect(found?.definitions).toBe(160 * 5_000 + 2 * 160 * 500);
  expect((found?.calls ?? 0) + (found?.definitions ?? 0) + (found?.other ?? 0)).toBe(
    found?.whole ?? -1,
  );
});

test("a conversation counts when a call or a request with a server is in the period", () => {
  const records = [...threeTurns, call(0)];
  expect(totals(records, { fromMs: noon, toMs: noon + 501 })?.conversations).toBe(1);
  expect(totals(records, { fromMs: noon + 1_500, toMs: Infinity })?.conversations).toBe(1);
  expect(totals(records, { fromMs: noon + 2_001, toMs: Infinity })).toBeUndefined();
});

test("a conversation without a call counts when it lists a server, and not otherwise", () => {
  expect(totals([...threeTurns, toolList(0)])).toMatchObject({ conversations: 1, calls: 0 });
  expect(totals([...threeTurns])).toBeUndefined();
});

test("turns without a price are counted apart", () => {
  const records = threeTurns.map((turn) => ({ ...turn, model: "unknown" }));
  expect(totals([...records, call(0)])).toMatchObject({ whole: 0, calls: 0, unpricedTurns: 3 });
});
