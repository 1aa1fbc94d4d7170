import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Hold, MemoryCounters, type Counter, refillAt, windowAt } from "#budgets/counter.ts";

const counter = (limit: number, per: Counter["per"] = "session"): Counter => ({
  key: "k",
  per,
  limit,
});
const minute = 60_000;

describe("MemoryCounters", () => {
  test("what is held and what is spent together fit the limit, one more does not", () => {
    const book = new MemoryCounters();
    const first = book.hold(counter(10), 6, 0, false);
    expect(book.hold(counter(10), 5, 0, false)).toBeUndefined();
    expect(book.hold(counter(10), 4, 0, false)).toBeDefined();
    if (first) book.settle(first, 2);
    expect(book.taken(counter(10), 0)).toBe(6);
    expect(book.hold(counter(10), 5, 0, false)).toBeUndefined();
    expect(book.hold(counter(10), 4, 0, false)).toBeDefined();
  });

  test("what is released is free again", () => {
    const book = new MemoryCounters();
    const hold = book.hold(counter(10), 10, 0, false);
    if (hold) book.release(hold);
    expect(book.taken(counter(10), 0)).toBe(0);
  });

  test("a hold grows as far as there is room, and stays as it is when there is none", () => {
    const book = new MemoryCounters();
    const hold = book.hold(counter(10), 1, 0, false);
    if (!hold) throw new Error("there is room for one");
    book.hold(counter(10), 5, 0, false);
    expect([book.resize(hold, 6, 0, false), hold.amount]).toEqual([false, 1]);
    expect([book.resize(hold, 5, 0, false), hold.amount]).toEqual([true, 5]);
    expect(book.resize(hold, 99, 0, true)).toBe(true);
    expect(book.taken(counter(10), 0)).toBe(104);
  });

  test("a window refills a counter, and takes what was held in it along", () => {
    const book = new MemoryCounters();
    const hold = book.hold(counter(10, "minute"), 10, minute - 1, false);
    expect(book.hold(counter(10, "minute"), 10, minute, false)).toBeDefined();
    if (hold) book.settle(hold, 10);
    expect(book.taken(counter(10, "minute"), minute)).toBe(10);
  });

  test("a call that spans two windows is paid in the one its answer came in", () => {
    const book = new MemoryCounters();
    const hold = book.hold(counter(10, "minute"), 1, minute - 1, false);
    if (!hold) throw new Error("there is room for one");
    expect(book.resize(hold, 8, minute, false)).toBe(true);
    book.settle(hold, 8);
    expect(book.taken(counter(10, "minute"), minute)).toBe(8);
  });

  type Act = readonly ["hold" | "resize" | "settle" | "release", amount: number, which: number];
  const act: fc.Arbitrary<Act> = fc.tuple(
    fc.constantFrom("hold", "resize", "settle", "release"),
    fc.nat({ max: 12 }),
    fc.nat({ max: 5 }),
  );

  test("nothing that is not forced ever takes more than the limit, and a counter ends as it was spent", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const book = new MemoryCounters();
        const open: Hold[] = [];
        let spent = 0;
        for (const [what, amount, which] of acts) {
          const hold = open[which % Math.max(1, open.length)];
          if (what === "hold") {
            const held = book.hold(counter(20), amount, 0, false);
            if (held) open.push(held);
          } else if (hold && what === "resize") {
            book.resize(hold, amount, 0, false);
          } else if (hold) {
            const cost = what === "settle" ? Math.min(amount, hold.amount) : 0;
            book.settle(hold, cost);
            spent += cost;
            open.splice(open.indexOf(hold), 1);
          }
          expect(book.taken(counter(20), 0)).toBeLessThanOrEqual(20);
        }
        for (const hold of open) book.release(hold);
        expect(book.taken(counter(20), 0)).toBe(spent);
      }),
    );
  });
});

test("windows begin on the full minute, hour and UTC day", () => {
  const noon = Date.UTC(2026, 8, 1, 12);
  expect([
    windowAt("session", noon),
    windowAt("minute", noon) - windowAt("minute", noon - 1),
  ]).toEqual([0, 1]);
  expect([refillAt("minute", noon), refillAt("hour", noon + 1), refillAt("day", noon)]).toEqual([
    noon + minute,
    noon + 60 * minute,
    noon + 12 * 60 * minute,
  ]);
  expect(refillAt("session", noon)).toBe(Infinity);
});
