import { expect, test } from "bun:test";
import { problemText } from "#renderers/problem-text.ts";

const problem = { level: "error", rule: "grew", text: "it grew", line: 1, place: "calls" } as const;

test("problemText begins with the subject, where there is one", () => {
  expect(problemText({ ...problem, about: "search" })).toBe("search: it grew");
  expect(problemText({ ...problem, about: null })).toBe("it grew");
});
