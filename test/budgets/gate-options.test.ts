import { expect, test } from "bun:test";
import { counterFailurePolicies } from "#budgets/gate-options.ts";

test("the first policy is the default, which neither refuses everything nor allows it", () => {
  expect(counterFailurePolicies).toEqual(["local", "closed", "open"]);
});
