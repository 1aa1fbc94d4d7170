import { expect, test } from "bun:test";
import { PriceBook } from "#money/price-book.ts";
import { tokenPrices } from "#money/token-prices.ts";
import { ImportedHistory } from "#reports/imported/imported-history.ts";
import { loggedCosts } from "#reports/imported/logged-cost.ts";
import { call, threeTurns, turn } from "./made-history.ts";

const opus = tokenPrices({ input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25 });
const prices = new PriceBook("test", [(model) => (model === "claude-opus-4-8" ? opus : undefined)]);

function costs(records: readonly Parameters<ImportedHistory["add"]>[0][], book = prices) {
  const history = new ImportedHistory();
  for (const record of records) history.add(record);
  const [conversation] = history.conversations.values();
  return conversation ? [...loggedCosts(conversation, book).values()] : [];
}

test("an answer costs its arguments, its first prompt and each prompt after", () => {
  // 10 × 25 written; 1,000 × 6.25 at first; then 1,000 × 0.5 and, in both prompts, 10 × 6.25 and 10 × 0.5.
  expect(costs([...threeTurns, call(0)])).toEqual([
    {
      nanoDollars: 250_000 + 6_250_000 + 500_000 + 62_500 + 5_000,
      carriedTokens: 1_020,
      rereads: 1,
    },
  ]);
});

test("without a price there is no amount, and the tokens are the same", () => {
  const turns = threeTurns.map((one) => ({ ...one, model: "unknown" }));
  expect(costs([...turns, call(0)])).toEqual([
    { nanoDollars: null, carriedTokens: 1_020, rereads: 1 },
  ]);
});

test("a call that stands in no turn has no cost", () => {
  expect(costs([...threeTurns, call(0, { turn: null })])).toEqual([]);
  expect(costs([turn(7), call(0)])).toEqual([]);
});
