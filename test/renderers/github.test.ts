import { expect, test } from "bun:test";
import { stepSummaryBytesMax } from "#limits.ts";
import { boundedSummary, checkAsGithub } from "#renderers/github.ts";
import { fullReport } from "../support/checks.ts";

const report = fullReport();

test("checkAsGithub: no name gives a command, and there is one annotation", () => {
  const text = checkAsGithub(report, "::error::from a name\n", "word");
  const lines = text.trimEnd().split("\n");
  expect(lines.slice(0, 3)).toEqual(["::stop-commands::word", "::error::from a name", "::word::"]);
  expect(lines).toHaveLength(4);
  expect(lines[3]).toStartWith("::error title=mcp-meter%3A %3A%3Aerror%3A%3Ah\\u001b");
  expect(lines[3]).toContain("%0A");
});

test("checkAsGithub annotates with a warning when nothing failed, and not at all when all is well", () => {
  const warned = { ...report, failed: false, problems: report.problems.slice(-1) };
  expect(checkAsGithub(warned, "", "w")).toContain("\n::warning ");
  expect(checkAsGithub({ ...report, problems: [] }, "", "w")).toBe("::stop-commands::w\n::w::\n");
});

const bytes = (text: string): number => new TextEncoder().encode(text).length;

test.each([
  ["an empty summary", 0],
  ["one that is half full", stepSummaryBytesMax / 2],
  ["one with room for the note", stepSummaryBytesMax - 500],
])("boundedSummary keeps below 1 MiB with %s, and says what it cut", (_, taken) => {
  const long = "| é 日本 |\n".repeat(200_000);
  const text = boundedSummary(long, taken);
  expect(taken + bytes(text)).toBeLessThan(stepSummaryBytesMax);
  expect(text).toMatch(/_Cut here: \d+ more lines do not fit/);
});

test("boundedSummary leaves what fits as it is, and a full summary alone", () => {
  expect(boundedSummary("short\n", 10)).toBe("short\n");
  expect(boundedSummary("x".repeat(300), stepSummaryBytesMax - 100)).toBe("");
  const exact = "x".repeat(stepSummaryBytesMax - 1);
  expect(boundedSummary(exact, 0)).toBe(exact);
  expect(boundedSummary(`${exact}x`, 0)).toContain("Cut here");
});
