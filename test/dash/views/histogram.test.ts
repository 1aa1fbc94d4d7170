import { expect, test } from "bun:test";
import { array, assert, nat, property } from "fast-check";
import { histogramOf } from "#dash/views/histogram.ts";

test("the classes of a histogram follow each other and have each call once", () => {
  assert(
    property(array(nat(5_000_000)), (tokens) => {
      const rows = Object.values(histogramOf(tokens));
      expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(tokens.length);
      for (const [at, { from, to }] of rows.entries()) {
        expect(to).toBe(2 * from - 1);
        expect(rows[at + 1]?.from ?? to + 1).toBe(to + 1);
      }
      expect(rows[0]?.calls ?? 1).toBeGreaterThan(0);
      expect(rows.at(-1)?.calls ?? 1).toBeGreaterThan(0);
    }),
  );
});
