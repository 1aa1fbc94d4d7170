import { expect, test } from "bun:test";
import { error } from "#actions/error.ts";
import { excessOf } from "../support/excess.ts";

test("error refuses both requests and answers", () => {
  expect([error.isEnforcing, error.waits]).toEqual([true, false]);
  expect(error.result(excessOf({ content: [] }, 0))).toEqual({ kind: "refuse" });
});
