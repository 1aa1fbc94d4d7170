import { describe, expect, test } from "bun:test";
import type { Counter } from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";
import { type CounterChange, applyChange, noCallAmounts } from "#state/stores/apply-change.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 100 };
const window = computeWindow("day", noon);

function change(parts: Partial<CounterChange>): CounterChange {
  return {
    counter,
    nowMs: noon,
    window,
    open: 0,
    unwritten: 0,
    current: noCallAmounts,
    next: noCallAmounts,
    advance: 0,
    isForced: false,
    keepsWindow: false,
    ...parts,
  };
}

describe("applyChange", () => {
  test("replaces the part of one call, and leaves what others hold", () => {
    const current = { held: 10, spent: 0 };
    const made = applyChange(
      { window, spent: 5, held: 40 },
      { window, held: 15, pledged: 0 },
      change({ open: 15, current: current, next: { held: 0, spent: 30 } }),
    );
    expect(made).toEqual({
      amounts: { window, spent: 35, held: 30 },
      share: { window, held: 5, pledged: 0 },
      open: 5,
      isGranted: true,
      mayGrant: true,
    });
  });

  test("without room it writes only what was spent before", () => {
    const made = applyChange(
      { window, spent: 50, held: 40 },
      { window, held: 20, pledged: 9 },
      change({ open: 11, unwritten: 9, next: { held: 31, spent: 0 } }),
    );
    expect(made).toMatchObject({
      amounts: { spent: 59, held: 31 },
      share: { held: 11, pledged: 0 },
      isGranted: false,
    });
  });

  test("an advance takes an eighth of the room, and is pledged when something is spent", () => {
    const next = { held: 0, spent: 20 };
    const made = applyChange(undefined, undefined, change({ next, advance: 60 }));
    expect(made.share).toEqual({ window, held: 10, pledged: 10 });
    const held = applyChange(
      undefined,
      undefined,
      change({ next: { held: 4, spent: 0 }, advance: 5 }),
    );
    expect(held.share).toEqual({ window, held: 9, pledged: 0 });
  });

  test("a pinned change never begins a window, and is void in another one", () => {
    const next = { held: 0, spent: 20 };
    const later = { window: window + 3, spent: 7, held: 0 };
    const made = applyChange(later, undefined, change({ next, keepsWindow: true, isForced: true }));
    expect(made.amounts).toEqual(later);
  });

  test("what is open stays open when the counter was reset meanwhile", () => {
    const made = applyChange(undefined, undefined, change({ open: 12, keepsWindow: true }));
    expect(made.amounts).toEqual({ window, spent: 0, held: 12 });
  });
});
