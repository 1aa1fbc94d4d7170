import { expect, test } from "bun:test";
import { defaultNames, loads } from "../../../scripts/bench/suite.ts";

test("everything runs unasked, quick runs what it can shorten", () => {
  expect(defaultNames(false)).toEqual([...loads.keys()]);
  expect(defaultNames(true)).toEqual([...loads.keys()].filter((name) => name !== "tokenizers"));
});
