import { expect, test } from "bun:test";
import { highestLimit, overheadOf, rareLimit, UsageRows } from "#reports/advice/tool-usage.ts";
import { plant } from "../../support/made-advice.ts";

function usageOf(tokens: readonly number[]) {
  const rows = new UsageRows();
  const row = rows.addRow();
  for (const total of tokens) rows.addCall(row, plant({ output_tokens: total }));
  return rows.sum([row]);
}

const repeat = (count: number, tokens: number): number[] =>
  Array.from({ length: count }, () => tokens);

test.each([
  // 8,000 above 2,000 is the most that one of twenty calls can spare.
  [[...repeat(19, 1_500), 10_000], { limit: 2_000, shortened_calls: 1, tokens: 8_000 }],
  // Above 1,000 are all calls: that limit is none.
  [[...repeat(9, 6_000), 30_000], { limit: 10_000, shortened_calls: 1, tokens: 20_000 }],
] as const)("%j: the limit that spares the most and leaves nine of ten calls", (tokens, effect) => {
  expect(rareLimit(usageOf(tokens))).toEqual(effect);
});

test.each([[[]], [[400, 40_000]], [repeat(50, 900)], [repeat(50, 60_000)]])(
  "no rare limit for %j",
  (tokens) => {
    expect(rareLimit(usageOf(tokens))).toBeUndefined();
  },
);

test("the highest limit that spares a share", () => {
  // 5,000 spares 1,000 of 6,000; 10,000 spares nothing.
  const effect = { limit: 5_000, shortened_calls: 50, tokens: 50_000 };
  expect(highestLimit(usageOf(repeat(50, 6_000)), 10)).toEqual(effect);
  expect(highestLimit(usageOf(repeat(50, 6_000)), 20)?.limit).toBe(2_000);
  expect(highestLimit(usageOf(repeat(50, 900)), 10)).toBeUndefined();
  expect(highestLimit(usageOf(repeat(10, 6_000)), 10)?.shortened_calls).toBe(10);
  expect(highestLimit(usageOf(repeat(9, 6_000)), 10)).toBeUndefined();
  expect(highestLimit(usageOf([]), 10)).toBeUndefined();
});

test("refused calls count as calls, and have no answer that could be shorter", () => {
  const rows = new UsageRows();
  const row = rows.addRow();
  rows.addCall(row, plant({ outcome: "refused", output_tokens: 9_000 }));
  expect(rows.sum([row])).toMatchObject({ calls: 1, tokens: 9_000, answered_calls: 0 });
  expect(rareLimit(rows.sum([row]))).toBeUndefined();
});

test("rows add up, more of them than there was room for at first", () => {
  const rows = new UsageRows();
  const all = Array.from({ length: 5_000 }, () => rows.addRow());
  const overhead = {
    user_only_tokens: 1,
    preamble_tokens: 2,
    json_tokens: 100,
    minified_tokens: 60,
    structure_ratio: 0.5,
  };
  for (const row of all) rows.addCall(row, plant({ overhead, output_tokens: 1_500 }));
  const sum = rows.sum(all);
  expect([rows.rows, sum.calls, sum.tokens]).toEqual([5_000, 5_000, 7_500_000]);
  expect(sum.excess[0]).toEqual({ limit: 1_000, calls: 5_000, tokens: 2_500_000 });
  expect(overheadOf(sum)).toEqual({
    user_only_tokens: 5_000,
    preamble_tokens: 10_000,
    json_tokens: 500_000,
    minified_tokens: 300_000,
    structure_ratio: 0.5,
  });
  expect(overheadOf(rows.sum([])).structure_ratio).toBe(0);
});
