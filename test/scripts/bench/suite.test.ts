import { expect, test } from "bun:test";
import { defaultNames, loadNames, loads } from "../../../scripts/bench/suite.ts";

test("everything runs unasked, quick runs what it can shorten", () => {
  expect(defaultNames(false)).toEqual([...loads.keys()]);
  expect(defaultNames(true)).toEqual([...loads.keys()].filter((name) => name !== "tokenizers"));
});

test("start, with memory, round-trip and bulk compare with an older executable", () => {
  const comparing = ["start", "round-trip", "bulk"];
  expect(loadNames()).toEqual({ all: [...loads.keys()], comparing });
});
