import { expect, test } from "bun:test";
import { CallSizes } from "#reports/advice/call-sizes.ts";
import { callRecord } from "../../support/made-records.ts";

function sizesOf(tokens: readonly number[]): CallSizes {
  const sizes = new CallSizes();
  for (const total of tokens) sizes.add(callRecord({ input_tokens: 0, output_tokens: total }));
  return sizes;
}

const repeat = (count: number, tokens: number): number[] =>
  Array.from({ length: count }, () => tokens);

test.each([
  // 8,000 above 2,000 is the most that one of twenty calls can spare.
  [[...repeat(19, 1_500), 10_000], { limit: 2_000, shortened_calls: 1, tokens: 8_000 }],
  // Above 1,000 are all calls: that limit is none.
  [[...repeat(9, 6_000), 30_000], { limit: 10_000, shortened_calls: 1, tokens: 20_000 }],
] as const)("%j: the limit that spares the most and leaves nine of ten calls", (tokens, effect) => {
  expect(sizesOf(tokens).bestLimit()).toEqual(effect);
});

test.each([[[]], [[400, 40_000]], [repeat(50, 900)], [repeat(50, 60_000)]])(
  "no limit for %j",
  (tokens) => {
    expect(sizesOf(tokens).bestLimit()).toBeUndefined();
  },
);
