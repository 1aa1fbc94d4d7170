import { expect, test } from "bun:test";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { describeCounter, makeCounterKey } from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";

const noon = Date.UTC(2026, 10, 21, 12);
const budget = parseBudget("se*=100/day", actions);
const identity = { server: "server", tool: "search", budget, rank: 0, user: "ann" };
const key = makeCounterKey(identity);
const stored = {
  key,
  per: "day",
  limit: 100,
  action: "error",
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
    owner: "fleet",
    user: null,
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

test.each(["", "plain", "{}", "[]", '["s","t","p","euros","day",0]', '[1,2,3,"tokens",5,6]'])(
  "counterStatus of a foreign key is undefined: %j",
  (foreign) => {
    expect(describeCounter({ ...stored, key: foreign }, noon)).toBeUndefined();
  },
);

test("counterStatus takes a window that a faster clock has begun for the current one", () => {
  expect(describeCounter(stored, noon - 86_400_000)).toMatchObject({ spent: 60, held: 15 });
});

test("counterStatus of all servers together names none", () => {
  const all = { tool: null, budget: parseBudget("all=5/day", actions) };
  const overall = makeCounterKey({ ...identity, ...all, server: null });
  expect(describeCounter({ ...stored, key: overall }, noon)).toMatchObject({
    server: null,
    tool: null,
  });
});

test("counterStatus has the name of the server in records, where that is known", () => {
  const names = new Map([["server", "garden"]]);
  expect(describeCounter(stored, noon, names)).toMatchObject({ server: "garden" });
});

test("counterStatus of a counter per user names the user, and money in dollars", () => {
  const perUser = { ...identity, budget: parseBudget("$5/day/user", actions) };
  const spent = { limit: 5_000_000_000, spent: 1_250_000_000, held: 0 };
  const status = describeCounter({ ...stored, ...spent, key: makeCounterKey(perUser) }, noon);
  expect(status).toMatchObject({ owner: "user", user: "ann", unit: "dollars" });
  expect(status).toMatchObject({ limit: 5, spent: 1.25, left: 3.75 });
});

test("counterStatus of an action that no meter writes is undefined", () => {
  for (const action of ["", "\u001b[31m", "a".repeat(17)])
    expect(describeCounter({ ...stored, action }, noon)).toBeUndefined();
});
