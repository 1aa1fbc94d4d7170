import { expect, test } from "bun:test";
import {
  addLoggedTotals,
  makeLoggedTotals,
  noLoggedTotals,
} from "#history/reports/imported/logged-totals.ts";

const cost = { nanoDollars: 70, carriedTokens: 20, rereads: 2 };

test("a call with a price is priced with its tokens, one without is not", () => {
  const tokens = { input_tokens: 3, output_tokens: 9 };
  expect(makeLoggedTotals("importedCalls", tokens, cost)).toEqual({
    importedCalls: 1,
    pairedCalls: 0,
    carriedTokens: 20,
    rereads: 2,
    priced: { calls: 1, inputTokens: 3, outputTokens: 9, nanoDollars: 70 },
  });
  expect(makeLoggedTotals("pairedCalls", tokens, { ...cost, nanoDollars: null })).toEqual({
    ...noLoggedTotals,
    pairedCalls: 1,
    carriedTokens: 20,
    rereads: 2,
  });
  expect(makeLoggedTotals("pairedCalls", tokens, undefined)).toEqual({
    ...noLoggedTotals,
    pairedCalls: 1,
  });
});

test("totals of parts add up to the total of the whole", () => {
  const totals = makeLoggedTotals("importedCalls", { input_tokens: 3, output_tokens: 9 }, cost);
  expect(addLoggedTotals(totals, noLoggedTotals)).toEqual(totals);
  expect(addLoggedTotals(totals, totals)).toEqual({
    importedCalls: 2,
    pairedCalls: 0,
    carriedTokens: 40,
    rereads: 4,
    priced: { calls: 2, inputTokens: 6, outputTokens: 18, nanoDollars: 140 },
  });
});
