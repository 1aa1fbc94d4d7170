import { expect, test } from "bun:test";
import { CallSums } from "#money/turns/call-sums.ts";

test("sums are given by call, zeros included", () => {
  const sums = new CallSums(2);
  sums.addWritten(1, 5);
  sums.addFirst(1, 3, 30);
  sums.addCarried(1, 7, 70, 2);
  sums.addCarried(1, 1, 10, 0);
  const none = { written: 0, first: 0, carried: 0, firstTokens: 0, rereads: 0, carriedTokens: 0 };
  const all = { written: 5, first: 3, carried: 8, firstTokens: 30, rereads: 2, carriedTokens: 80 };
  expect(sums.costs()).toEqual([none, all]);
  expect(new CallSums(0).costs()).toEqual([]);
});
