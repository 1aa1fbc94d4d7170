import { expect, test } from "bun:test";
import { HeldRents } from "#records/money/turns/conversation-account.ts";

const prices = { cached: 1, fresh: 10, written: 100, whole: 0 };

test("a context begins with the definitions of its turn, which shrink to its size", () => {
  const rents = new HeldRents([
    { tokens: 100, from: 0 },
    { tokens: 300, from: 0 },
    { tokens: 50, from: 2 },
  ]);
  expect(rents.begin(0, 200)).toBe(200);
  rents.charge({ size: 200, cached: 0, prices }, 0);
  expect(rents.rents.map((periods) => periods.get(0)?.tokens)).toEqual([50, 150, undefined]);
  expect(rents.cost).toBe(2_000);
});

test("definitions arrive once, and rents are sums by period", () => {
  const rents = new HeldRents([{ tokens: 50, from: 2 }]);
  expect(rents.begin(0, 200)).toBe(0);
  expect(rents.arrivals(1)).toEqual({ places: [], tokens: [] });
  expect(rents.arrivals(3)).toEqual({ places: [0], tokens: [50] });
  expect(rents.arrivals(4)).toEqual({ places: [], tokens: [] });
  rents.place(200, [0], [50]);
  rents.charge({ size: 250, cached: 250, prices }, 7);
  rents.charge({ size: 250, cached: 250, prices }, 8);
  expect([...(rents.rents[0] ?? [])]).toEqual([
    [7, { cost: 50, tokens: 50 }],
    [8, { cost: 50, tokens: 50 }],
  ]);
});

test("a context that begins later has nothing of a server that is gone", () => {
  const rents = new HeldRents([{ tokens: 50, from: 0, until: 2 }]);
  expect([rents.begin(1, 200), rents.begin(2, 200)]).toEqual([50, 0]);
});
