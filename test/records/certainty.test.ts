import { expect, test } from "bun:test";
import { readEstimation, pickLessCertain } from "#records/summary.ts";
import { sessionRecord } from "../support/made-records.ts";

const [low, high] = (["low", "high"] as const).map((confidence) =>
  readEstimation(sessionRecord({ confidence, is_estimated: confidence === "low" })),
);

test("the less certain estimation counts, in either order", () => {
  expect(low).toMatchObject({
    estimator: "chars3",
    encoding: "characters/3",
    error: "a rough rule",
  });
  expect(pickLessCertain(null, high ?? null)).toEqual(high ?? null);
  expect(pickLessCertain(high ?? null, low ?? null)).toEqual(low ?? null);
  expect(pickLessCertain(low ?? null, high ?? null)).toEqual(low ?? null);
  expect(pickLessCertain(null, null)).toBeNull();
});

test("of two that are as certain the order does not matter, and one that estimates is enough", () => {
  const a = { ...readEstimation(sessionRecord()), error: "a", is_estimated: false };
  const b = { ...readEstimation(sessionRecord()), error: "b", is_estimated: true };
  expect(pickLessCertain(a, b)).toEqual({ ...a, is_estimated: true });
  expect(pickLessCertain(b, a)).toEqual({ ...a, is_estimated: true });
});
