import { expect, test } from "bun:test";
import { stepSummaryBytesMax, fitStepSummary } from "#commands/run-reported-check.ts";

const bytes = (text: string): number => new TextEncoder().encode(text).length;

test.each([
  ["an empty summary", 0],
  ["one that is half full", stepSummaryBytesMax / 2],
  ["one with room for the note", stepSummaryBytesMax - 500],
])("fitStepSummary keeps below 1 MiB with %s, and says what it cut", (_, taken) => {
  const long = "| é 日本 |\n".repeat(200_000);
  const text = fitStepSummary(long, taken);
  expect(taken + bytes(text)).toBeLessThan(stepSummaryBytesMax);
  expect(text).toMatch(/_Cut here, before [\d,]+ more lines, because/);
});

test("fitStepSummary counts the lines that it cut, and leaves out a diff that does not fit whole", () => {
  const diff = ["<details><summary>Diff</summary>", "", "```diff", "+ a", "```", "", "</details>"];
  const rest = "x".repeat(stepSummaryBytesMax);
  expect(fitStepSummary([...diff, rest].join("\n"), 0)).toBe(
    `${diff.join("\n")}\n\n_Cut here, before 1 more line, because a step summary is limited to 1 MiB; see the log or use --format json._\n`,
  );
  const text = fitStepSummary(["title", "", ...diff.with(3, `+ ${rest}`)].join("\n"), 0);
  expect(text).toStartWith("title\n\n\n_Cut here, before 7 more lines");
});

test("fitStepSummary leaves what fits as it is, and a full summary alone", () => {
  expect(fitStepSummary("short\n", 10)).toBe("short\n");
  expect(fitStepSummary("x".repeat(300), stepSummaryBytesMax - 100)).toBe("");
  const exact = "x".repeat(stepSummaryBytesMax - 1);
  expect(fitStepSummary(exact, 0)).toBe(exact);
  expect(fitStepSummary(`${exact}x`, 0)).toContain("Cut here");
});
