import { expect, test } from "bun:test";
import { exceedsBounds } from "#wire/json.ts";

const wide = { levelsMax: 100, sizeMax: 100 };

test("a value at the limit of levels is accepted, one level more is not", () => {
  const value = [{ a: [] }];
  expect(exceedsBounds(value, { ...wide, levelsMax: 2 })).toBe(false);
  expect(exceedsBounds(value, { ...wide, levelsMax: 1 })).toBe(true);
});

test.each([
  ["values", [1, null, true], 4],
  ["characters", "abc", 4],
  ["names", { abc: 1 }, 5],
])("the size counts %s", (_, value, size) => {
  expect(exceedsBounds(value, { ...wide, sizeMax: size })).toBe(false);
  expect(exceedsBounds(value, { ...wide, sizeMax: size - 1 })).toBe(true);
});

test("a value that contains itself, and one that repeats itself without end, exceed every limit", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(exceedsBounds(cycle, { levelsMax: 256, sizeMax: 1e6 })).toBe(true);
  let laughs: unknown = ["ha"];
  for (let level = 0; level < 60; level += 1) laughs = [laughs, laughs];
  expect(exceedsBounds(laughs, { levelsMax: 256, sizeMax: 1e6 })).toBe(true);
});
