import { expect, test } from "bun:test";
import { DeferredCounts, countingSliceCharacters } from "#meter/session/charge.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { watchedEstimator } from "./support/watched-estimator.ts";

const slice = countingSliceCharacters;

test("PatientCounts counts a slice at once, and lets longer texts wait", () => {
  const { estimator, counted } = watchedEstimator();
  const counts = new DeferredCounts({ ...plainReader(undefined), estimator });
  const half = "ab ".repeat(5_000);
  expect(counts.estimator.count(half)).toBe(estimator.count(half));
  counted.length = 0;
  expect(counts.estimator.count(half)).toBe(estimator.count(half));
  expect(counts.isWaiting).toBe(false);
  const tokens = 11_000;
  const other = "cd ".repeat(tokens);
  expect(counts.estimator.count(other)).toBe(0);
  expect(counts.estimator.countWithin?.(other, 10)).toBe(0);
  expect(counts.isWaiting).toBe(true);
  expect(Math.max(...counted)).toBeLessThanOrEqual(slice);
  while (counts.bill.charactersLeft > 0) counts.bill.advance(slice);
  expect(counts.isWaiting).toBe(false);
  expect(counts.estimator.count(other)).toBe(tokens);
  expect(counts.estimator.countWithin?.(other, tokens)).toBe(tokens);
  expect(counts.estimator.countWithin?.(other, tokens - 1)).toBeUndefined();
});

test("PatientCounts does not count a text again for the bill of the record", () => {
  const { estimator, counted } = watchedEstimator();
  const counts = new DeferredCounts({ ...plainReader(undefined), estimator });
  const text = "ab ".repeat(slice);
  counts.estimator.count(text);
  while (counts.bill.charactersLeft > 0) counts.bill.advance(slice);
  counted.length = 0;
  const remembering = counts.makeRememberingCounter();
  const counting = remembering.begin?.(text);
  expect(counting?.advance(1)).toBe(true);
  expect(counting?.tokens).toBe(slice);
  expect(remembering.count(text)).toBe(slice);
  expect(counted).toEqual([]);
  expect(remembering.count("ab cd")).toBe(1);
});
