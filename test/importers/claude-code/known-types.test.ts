import { expect, test } from "bun:test";
import { knownTypes } from "#importers/claude-code/known-types.ts";

test("types are known by their names", () => {
  expect(knownTypes.has("assistant")).toBe(true);
  expect(knownTypes.has("quantum-flux")).toBe(false);
});
