import { expect, test } from "bun:test";
import { byRatio } from "#estimators/ratio.ts";

test("byRatio: says which ratio it is", () => {
  expect(byRatio("x", 2.5, "unknown")).toMatchObject({ encoding: "characters/2.5", id: "x" });
});
