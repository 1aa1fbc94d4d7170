import { describe, expect, test } from "bun:test";
import { LateTurns, nextTurn, turnsAtOnce } from "#http/metering-turns.ts";
import { meteredTogetherMin } from "#limits/http.ts";

describe("LateTurns", () => {
  test("all go in their order, some in a row and then the next ones in a later turn", async () => {
    const turns = new LateTurns();
    const log: string[] = [];
    const all = Array.from({ length: meteredTogetherMin + 2 }, async (_, at) => {
      await turns.wait();
      if (at === 0) setImmediate(() => log.push("another message"));
      log.push(String(at));
    });
    await Promise.all(all);
    const first = Array.from({ length: meteredTogetherMin }, (_, at) => String(at));
    const rest = [meteredTogetherMin, meteredTogetherMin + 1].map(String);
    // A turn is asked for before those that go in it can ask for anything.
    expect(log.filter((entry) => entry !== "another message")).toEqual([...first, ...rest]);
    expect(log.slice(0, first.length)).toEqual(first);
  });

  test("a flood is not faster than its metering: many go in a row", async () => {
    const turns = new LateTurns();
    const count = 100 * meteredTogetherMin;
    let gone = 0;
    const all = Array.from({ length: count }, () => turns.wait().then(() => (gone += 1)));
    await all[0];
    await Promise.resolve();
    expect(gone).toBeGreaterThan(meteredTogetherMin);
    await Promise.all(all);
    expect(gone).toBe(count);
  });

  test("those that begin to wait later have a turn too", async () => {
    const turns = new LateTurns();
    await turns.wait();
    await turns.wait();
    expect(turns.isLate).toBe(true);
  });
});

test("at once is the next turn of the event loop", async () => {
  const log: string[] = [];
  setImmediate(() => log.push("before"));
  await turnsAtOnce.wait();
  await nextTurn();
  expect([turnsAtOnce.isLate, ...log]).toEqual([false, "before"]);
});
