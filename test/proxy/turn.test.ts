import { expect, test } from "bun:test";
import { turnMaxMs } from "#limits/forwarding.ts";
import { Turn } from "#proxy/turn.ts";

test("Turn: long after two milliseconds, until the next one or a new beginning", async () => {
  let nowMs = 0;
  const turn = new Turn(() => nowMs);
  const work = (): void => {
    turn.begin();
    expect(turn.isLong).toBe(false);
    nowMs += turnMaxMs + 1;
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

test("Turn: reads the clock of the runtime", () => {
  const turn = new Turn();
  Bun.sleepSync(turnMaxMs + 1);
  expect(turn.isLong).toBe(true);
});
