import { expect, test } from "bun:test";
import { defaultNames, loadNames, loads } from "../../../scripts/bench/suite.ts";

test("everything runs unasked, quick runs what is quick", () => {
  expect(defaultNames(false)).toEqual([...loads.keys()]);
  const long = new Set(["report", "import", "dash", "stages", "tokenizers"]);
  expect(defaultNames(true)).toEqual([...loads.keys()].filter((name) => !long.has(name)));
});

test("an older executable takes part wherever contestants are compared", () => {
  const alone = new Set([
    "in-flight",
    "report",
    "import",
    "dash",
    "counters",
    "shared-counter",
    "shared-log",
    "stages",
    "tokenizers",
  ]);
  const all = [...loads.keys()];
  const comparing = all.filter((name) => !alone.has(name));
  expect(loadNames()).toEqual({ all, comparing });
});
