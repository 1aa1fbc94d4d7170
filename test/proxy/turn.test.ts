import { expect, test } from "bun:test";
import { turnMaxMs } from "#limits/forwarding.ts";
import { Turn } from "#proxy/turn.ts";

test("Turn: long after two milliseconds, until the next one or a new beginning", async () => {
  const turn = new Turn();
  const work = (): void => {
    turn.begin();
    expect(turn.isLong).toBe(false);
    Bun.sleepSync(turnMaxMs + 1);
    expect(turn.isLong).toBe(true);
  };
  work();
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  await turn.next();
  expect([hasTurned, turn.isLong]).toEqual([true, false]);
  work();
});
