import { expect, test } from "bun:test";
import { now } from "#proxy/now.ts";

test("now: the wall clock for budgets, and a clock that never jumps for durations", () => {
  const [first, second] = [now(), now()];
  expect(second.monoMs).toBeGreaterThanOrEqual(first.monoMs);
  expect(Math.abs(first.wallMs - Date.now())).toBeLessThan(60_000);
});
