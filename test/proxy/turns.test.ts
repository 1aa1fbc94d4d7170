import { expect, test } from "bun:test";
import { Turns } from "#proxy/turns.ts";

test("a turn is over after some two milliseconds, and next begins another", async () => {
  const turns = new Turns();
  expect(turns.isOver).toBe(false);
  const until = performance.now() + 5;
  while (performance.now() < until);
  expect(turns.isOver).toBe(true);
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  await turns.next();
  expect([hasTurned, turns.isOver]).toEqual([true, false]);
});
