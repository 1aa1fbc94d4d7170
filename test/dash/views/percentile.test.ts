import { expect, test } from "bun:test";
import { array, assert, integer, nat, property } from "fast-check";
import { percentile } from "#dash/views/percentile.ts";

test("a percentile is one of the numbers, and that share of them does not exceed it", () => {
  assert(
    property(array(nat(), { minLength: 1 }), integer({ min: 1, max: 100 }), (all, p) => {
      const ascending = all.toSorted((one, other) => one - other);
      const found = percentile(ascending, p);
      if (found === null) throw new Error("a number is missing");
      expect(all).toContain(found);
      const below = all.filter((one) => one <= found).length;
      expect(below).toBeGreaterThanOrEqual((all.length * p) / 100);
      const smaller = all.filter((one) => one < found).length;
      expect(smaller).toBeLessThan((all.length * p) / 100);
    }),
  );
  expect(percentile([], 95)).toBeNull();
});
