import { expect, test } from "bun:test";
import { describeCounter } from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";

const noon = Date.UTC(2026, 10, 21, 12);
const key = JSON.stringify(["server", "search", "se*", "tokens", "day", "error"]);
const stored = {
  key,
  per: "day",
  limit: 100,
  window: computeWindow("day", noon),
  spent: 60,
  held: 15,
};

test("counterStatus says what is left and when it refills", () => {
  expect(describeCounter(stored, noon)).toEqual({
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

test("counterStatus of a window that has passed has nothing spent", () => {
  expect(describeCounter(stored, noon + 86_400_000)).toMatchObject({
    spent: 0,
    held: 0,
    left: 100,
  });
});

test("counterStatus of a limit that was lowered leaves 0, not less", () => {
  expect(describeCounter({ ...stored, limit: 10 }, noon)).toMatchObject({ left: 0 });
});

test.each(["", "plain", "{}", "[]", '["s","t","p","euros","day","error"]', '[1,2,3,"tokens",5,6]'])(
  "counterStatus of a foreign key is undefined: %j",
  (foreign) => {
    expect(describeCounter({ ...stored, key: foreign }, noon)).toBeUndefined();
  },
);

test("counterStatus takes a window that a faster clock has begun for the current one", () => {
  expect(describeCounter(stored, noon - 86_400_000)).toMatchObject({ spent: 60, held: 15 });
});

test("counterStatus of all servers together names none", () => {
  const overall = JSON.stringify([null, null, null, "tokens", "day", "error"]);
  expect(describeCounter({ ...stored, key: overall }, noon)).toMatchObject({
    server: null,
    tool: null,
  });
});

test("counterStatus has the name of the server in records, where that is known", () => {
  const names = new Map([["server", "garden"]]);
  expect(describeCounter(stored, noon, names)).toMatchObject({ server: "garden" });
});
