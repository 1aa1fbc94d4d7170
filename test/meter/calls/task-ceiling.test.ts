import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { steps, TaskPlay } from "./task-play.ts";

const runs = Number(process.env["TASK_RUNS"] ?? "200");
// Fixed, because 200 sessions of chance do not always show everything below.
const seed = Number(process.env["TASK_SEED"] ?? "1");

for (const [era, isModern] of [
  ["2025-11-25", false],
  ["2026", true],
] as const) {
  for (const observedMax of [8 * 1024 * 1024, 300]) {
    test(`${runs} sessions with tasks of ${era}, lines over ${observedMax} bytes unread: no counter exceeds its limit`, () => {
      const seen = new Set<string>();
      fc.assert(
        fc.property(steps, (all) => {
          for (const what of new TaskPlay({ isModern, observedMax }).play(all)) seen.add(what);
        }),
        { numRuns: runs, seed },
      );
      expect([...seen].toSorted()).toEqual(
        expect.arrayContaining(["called", "cancelled", "one id twice", "read", "withheld"]),
      );
    }, 600_000);
  }
}
