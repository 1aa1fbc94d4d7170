import { expect, test } from "bun:test";
import { estimatorIds, isEstimatorId } from "#estimators/ids.ts";
import { createEstimator } from "#estimators/index.ts";

const tokenizer = () => expect.unreachable();

test("every id is that of an estimator, and nothing else is an id", () => {
  for (const id of estimatorIds) expect(createEstimator(id, { tokenizer }).id).toBe(id);
  expect(estimatorIds.every(isEstimatorId)).toBe(true);
  for (const id of ["", "auto", "O200K", "toString", "__proto__"]) {
    expect(isEstimatorId(id)).toBe(false);
  }
});
