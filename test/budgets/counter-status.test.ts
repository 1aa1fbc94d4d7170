import { expect, test } from "bun:test";
import { windowAt } from "#budgets/counter.ts";
import { statusOf } from "#budgets/counter-status.ts";

const noon = Date.UTC(2026, 10, 21, 12);
const key = JSON.stringify(["server", "search", "se*", "tokens", "day", "error"]);
const stored = { key, per: "day", limit: 100, window: windowAt("day", noon), spent: 60, held: 15 };

test("statusOf says what is left and when it refills", () => {
  expect(statusOf(stored, noon)).toEqual({
    server: "server",
    tool: "search",
    pattern: "se*",
    limit: 100,
    unit: "tokens",
    per: "day",
    action: "error",
    spent: 60,
    held: 15,
    left: 25,
    refills_at: "2026-11-22T00:00:00.000Z",
  });
});

test("of a window that has passed nothing is spent", () => {
  expect(statusOf(stored, noon + 86_400_000)).toMatchObject({ spent: 0, held: 0, left: 100 });
});

test("a limit that was lowered since leaves nothing, not less", () => {
  expect(statusOf({ ...stored, limit: 10 }, noon)).toMatchObject({ left: 0 });
});

test.each(["", "plain", "{}", "[]", '["s","t","p","euros","day","error"]', '[1,2,3,"tokens",5,6]'])(
  "a key of somebody else is no counter: %j",
  (foreign) => {
    expect(statusOf({ ...stored, key: foreign }, noon)).toBeUndefined();
  },
);

test("a window that another clock has begun already is the current one", () => {
  expect(statusOf(stored, noon - 86_400_000)).toMatchObject({ spent: 60, held: 15 });
});
