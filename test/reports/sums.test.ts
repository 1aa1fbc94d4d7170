import { expect, test } from "bun:test";
import { addCallTo, addSums, callTokens, contextTokens, noSums } from "#reports/sums.ts";
import { callRecord } from "../support/made-records.ts";

test("a call is counted by its outcome; a refused one is not the largest", () => {
  const sums = noSums();
  addCallTo(sums, callRecord({ input_tokens: 1, output_tokens: 20, wire_tokens: 30 }));
  addCallTo(sums, callRecord({ outcome: "tool_error", duplicate_tokens: 7 }));
  addCallTo(sums, callRecord({ outcome: "rpc_error" }));
  addCallTo(sums, callRecord({ outcome: "cancelled", input_tokens: 0, output_tokens: 0 }));
  addCallTo(sums, callRecord({ outcome: "abandoned", input_tokens: 4, output_tokens: 0 }));
  addCallTo(sums, callRecord({ outcome: "refused", input_tokens: 500, output_tokens: 60 }));
  expect(sums).toEqual({
    ...noSums(),
    calls: 6,
    errors: 2,
    cancelled: 1,
    abandoned: 1,
    refused: 1,
    input_tokens: 1 + 10 + 10 + 4 + 500,
    output_tokens: 20 + 100 + 100 + 60,
    wire_tokens: 30 + 100 + 100 + 0 + 0 + 60,
    duplicate_tokens: 7,
    refused_tokens: 560,
    max_tokens: 110,
  });
  expect(callTokens(sums)).toBe(525 + 280);
});

test("sums add up, the largest call stays the largest", () => {
  const sums = { ...noSums(), calls: 1, max_tokens: 9, resident_tokens: 100 };
  addSums(sums, { ...noSums(), calls: 2, max_tokens: 8, loaded_tokens: 10, input_tokens: 1 });
  expect(sums).toEqual({
    ...noSums(),
    calls: 3,
    max_tokens: 9,
    resident_tokens: 100,
    loaded_tokens: 10,
    input_tokens: 1,
  });
  expect(contextTokens(sums)).toBe(111);
});
