import { expect, test } from "bun:test";
import type { Problem } from "#check/report.ts";
import { mergeRounds } from "#renderers/merge-rounds.ts";

const problem = (about: string, changes: Partial<Problem> = {}): Problem => ({
  level: "error",
  rule: "over_budget",
  about,
  text: "it takes 9 tokens",
  line: 3,
  place: "calls",
  ...changes,
});

test("mergeRounds lists the same problem of several rounds once, with their number", () => {
  const other = problem("a (3)", { text: "it takes 10 tokens" });
  const merged = mergeRounds([problem("a"), problem("a (2)"), other, problem("b", { line: 4 })]);
  expect(merged.map(({ about, text }) => [about, text])).toEqual([
    ["a, 2 rounds", "it takes 9 tokens"],
    ["a (3)", "it takes 10 tokens"],
    ["b", "it takes 9 tokens"],
  ]);
});

test("mergeRounds keeps problems of different tools apart", () => {
  const drift = { line: null, place: "lock", rule: "tool_removed" } as const;
  const problems = [problem("a", drift), problem("b", drift)];
  expect(mergeRounds(problems)).toEqual(problems);
});

test("mergeRounds leaves problems of tools apart: two of one name have no rounds", () => {
  const drift = {
    level: "error",
    rule: "tool_added",
    about: "t",
    text: "new tool",
    line: 5,
    place: "lock",
  } as const;
  expect(mergeRounds([drift, drift])).toEqual([drift, drift]);
});
