import { expect, test } from "bun:test";
import { throttle } from "#actions/throttle.ts";
import { excessOf } from "../support/excess.ts";

test("throttle makes requests wait and lets answers pass", () => {
  expect([throttle.isEnforcing, throttle.waits]).toEqual([true, true]);
  expect(throttle.result(excessOf({ content: [] }, 0))).toEqual({ kind: "pass" });
});
