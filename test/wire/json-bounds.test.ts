import { expect, test } from "bun:test";
import { exceedsBounds, nestingMax } from "#wire/json.ts";

test("a value at the limit of levels is accepted, one level more is not", () => {
  let value: unknown = { a: [] };
  for (let level = 1; level < nestingMax; level += 1) value = [value];
  expect(exceedsBounds(value, Infinity)).toBe(false);
  expect(exceedsBounds([value], Infinity)).toBe(true);
});

test.each([
  ["values", [1, null, true], 4],
  ["characters", "abc", 4],
  ["names", { abc: 1 }, 5],
])("the size counts %s", (_, value, size) => {
  expect(exceedsBounds(value, size)).toBe(false);
  expect(exceedsBounds(value, size - 1)).toBe(true);
});

test("a value that contains itself, and one that repeats itself without end, exceed every limit", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(exceedsBounds(cycle, 1e6)).toBe(true);
  let laughs: unknown = ["ha"];
  for (let level = 0; level < 60; level += 1) laughs = [laughs, laughs];
  expect(exceedsBounds(laughs, 1e6)).toBe(true);
});
