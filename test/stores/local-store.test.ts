import { describe, expect, test } from "bun:test";
import type { Counter } from "#budgets/counter.ts";
import { windowAt } from "#budgets/counter.ts";
import { type CounterChange, applyChange, nothing } from "#stores/change.ts";
import { LocalStore } from "#stores/local-store.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 10 };
const window = windowAt("day", noon);

/** Spends an amount, and holds another. */
function changed(spent: number, held = 0): CounterChange {
  return {
    counter,
    nowMs: noon,
    window,
    open: 0,
    unwritten: 0,
    own: nothing,
    next: { spent, held },
    advance: 0,
    isForced: false,
    isPinned: false,
  };
}

describe("LocalStore", () => {
  test("goes on from what the shared store answered, and tells it what happened since", () => {
    const local = new LocalStore();
    local.learn(counter, applyChange({ window, spent: 3, held: 0 }, undefined, changed(1)));
    local.apply(changed(2, 1));
    expect(local.read(counter, noon)).toMatchObject({ spent: 6, held: 1 });
    expect(local.interludes()).toEqual([{ counter, window, known: 4, since: 2, held: 1 }]);
  });

  test("takes amounts of counters that were not used, and newer ones of those that were", () => {
    const local = new LocalStore();
    local.learn(counter, applyChange(undefined, undefined, changed(1)));
    local.learnAll(
      new Map([
        ["k", { window, spent: 7, held: 0 }],
        ["other", { window, spent: 9, held: 0 }],
      ]),
    );
    expect(local.apply(changed(4)).isGranted).toBe(false);
    expect(local.read({ ...counter, key: "other" }, noon).taken).toBe(9);
    expect(local.interludes()).toMatchObject([{ known: 7, since: 0 }]);
  });

  test("knows nothing of a window that began later", () => {
    const local = new LocalStore();
    local.learn(counter, applyChange(undefined, undefined, changed(8)));
    local.apply({ ...changed(2), nowMs: noon + 86_400_000 });
    expect(local.interludes()).toMatchObject([{ window: window + 1, known: 0, since: 2 }]);
  });
});
