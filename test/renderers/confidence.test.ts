import { expect, test } from "bun:test";
import { confidenceDots } from "#renderers/confidence.ts";

test("the surer, the fuller", () => {
  const { high, medium, low } = confidenceDots;
  expect([high, medium, low]).toEqual(["●●●", "●●○", "●○○"]);
});
