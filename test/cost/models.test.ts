import { expect, test } from "bun:test";
import { defaultFamily, defaultWindowTokens, modelRows } from "#cost/models.ts";

test("the rows of a stem are in rising version", () => {
  for (const { stem } of modelRows) {
    const versions = modelRows.filter((row) => row.stem === stem).map(({ from = 0 }) => from);
    expect([stem, versions]).toEqual([stem, versions.toSorted((one, other) => one - other)]);
  }
});

test("a model that nobody named is priced as one of the table, with a usual window", () => {
  expect(modelRows.map(({ family }) => family)).toContain(defaultFamily);
  expect(defaultWindowTokens).toBe(200_000);
});
