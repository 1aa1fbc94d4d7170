import { expect, test } from "bun:test";
import { MemoryCounters } from "#stores/memory.ts";

test("MemoryCounters of two sessions share nothing", () => {
  const counter = { key: "k", per: "session", limit: 10 } as const;
  const [one, other] = [new MemoryCounters(), new MemoryCounters()];
  one.hold(counter, 10, 0, false);
  expect([one.standing(counter, 0).taken, other.standing(counter, 0).taken]).toEqual([10, 0]);
});
