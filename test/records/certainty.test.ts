import { expect, test } from "bun:test";
import { estimationOf, lessCertain } from "#records/certainty.ts";
import { sessionRecord } from "../support/made-records.ts";

const [low, high] = (["low", "high"] as const).map((confidence) =>
  estimationOf(sessionRecord({ confidence, is_estimated: confidence === "low" })),
);

test("the less certain estimation counts, in either order", () => {
  expect(low).toMatchObject({
    estimator: "chars3",
    encoding: "characters/3",
    error: "a rough rule",
  });
  expect(lessCertain(null, high ?? null)).toEqual(high ?? null);
  expect(lessCertain(high ?? null, low ?? null)).toEqual(low ?? null);
  expect(lessCertain(low ?? null, high ?? null)).toEqual(low ?? null);
  expect(lessCertain(null, null)).toBeNull();
});

test("of two that are as certain the order does not matter, and one that estimates is enough", () => {
  const a = { ...estimationOf(sessionRecord()), error: "a", is_estimated: false };
  const b = { ...estimationOf(sessionRecord()), error: "b", is_estimated: true };
  expect(lessCertain(a, b)).toEqual({ ...a, is_estimated: true });
  expect(lessCertain(b, a)).toEqual({ ...a, is_estimated: true });
});
