import { expect, test } from "bun:test";
import { warn } from "#actions/warn.ts";
import { excessOf } from "../support/excess.ts";

test("warn lets everything pass", () => {
  expect([warn.isEnforcing, warn.waits]).toEqual([false, false]);
  expect(warn.result(excessOf({ content: [] }, 0))).toEqual({ kind: "pass" });
});
