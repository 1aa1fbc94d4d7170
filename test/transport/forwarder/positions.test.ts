import { expect, test } from "bun:test";
import { array, assert, integer, property } from "fast-check";
import { Positions } from "#transport/forwarder/shared-memory.ts";

const capacity = 16;

function store(start = 0): Positions {
  const words = new Int32Array(new SharedArrayBuffer(8));
  words.fill(start);
  return new Positions(words, 0, 1, capacity);
}

test("a record that does not fit before the end needs room for the skip as well", () => {
  const positions = store();
  expect([16, 17].map((units) => positions.hasRoom(units))).toEqual([true, false]);
  positions.advanceHead(12);
  expect([positions.writeUnit, positions.countUntilEnd(positions.writeUnit)]).toEqual([12, 4]);
  // Five units do not fit into the last four, and the first twelve are still unread.
  expect([4, 5].map((units) => positions.hasRoom(units))).toEqual([true, false]);
  positions.advanceTail(5);
  expect([5, 6].map((units) => positions.hasRoom(units))).toEqual([true, false]);
});

test("positions may pass 2^31 and 2^32", () => {
  for (const start of [2 ** 31 - 8, -8]) {
    const positions = store(start);
    expect([positions.used, positions.writeUnit]).toEqual([0, 8]);
    positions.advanceHead(8);
    expect([positions.used, positions.writeUnit, positions.readUnit]).toEqual([8, 0, 8]);
    positions.advanceTail(8);
    expect([positions.used, positions.readUnit, positions.hasRoom(16)]).toEqual([0, 0, true]);
  }
});

test("property: no more is used than there is, and what is used is what was written and not read", () => {
  const steps = array(integer({ min: 1, max: 9 }), { maxLength: 200 });
  assert(
    property(steps, integer(), (sizes, start) => {
      const positions = store(start | 0);
      const unread: number[] = [];
      for (const units of sizes) {
        if (!positions.hasRoom(units)) {
          const oldest = unread.shift();
          if (oldest !== undefined) positions.advanceTail(oldest);
          continue;
        }
        const unitsLeft = positions.countUntilEnd(positions.writeUnit);
        const needed = unitsLeft < units ? unitsLeft + units : units;
        positions.advanceHead(needed);
        unread.push(needed);
        expect(positions.used).toBe(unread.reduce((sum, size) => sum + size, 0));
        expect(positions.used).toBeLessThanOrEqual(capacity);
      }
    }),
  );
});
