import { expect, test } from "bun:test";
import { array, assert, integer, property } from "fast-check";
import { findFirstAfter, findFirstNotBefore } from "#history/imports/conversation-turns.ts";

test("property: both equal a search from the beginning", () => {
  const time = integer({ min: 0, max: 20 });
  assert(
    property(array(time), time, (times, at) => {
      const sorted = times.toSorted((a, b) => a - b);
      const search = (fits: (time: number) => boolean): number => {
        const found = sorted.findIndex(fits);
        return found < 0 ? sorted.length : found;
      };
      expect(findFirstNotBefore(sorted, at)).toBe(search((moment) => moment >= at));
      expect(findFirstAfter(sorted, at)).toBe(search((moment) => moment > at));
    }),
  );
});
