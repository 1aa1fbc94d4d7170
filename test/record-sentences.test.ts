import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { recordSentences, skipReasons } from "#record-sentences.ts";

test("skipped lines have their file and their reasons", () => {
  expect(recordSentences.linesSkipped("a.ndjson", 12_001, skipReasons(12_000, 1, 0))).toBe(
    'Skipped 12,001 lines of "a.ndjson": 12,000 incomplete, 1 of a newer version of mcp-meter',
  );
  expect(recordSentences.linesSkipped("-", 1, skipReasons(0, 0, 1))).toBe(
    "Skipped 1 line of stdin: 1 not an mcp-meter record",
  );
});

test("what a report leaves out is counted", () => {
  expect(recordSentences.recordsLeftOut(1)).toBe(
    "Left out 1 record of further sessions, days or tools than a report can hold; choose a shorter period",
  );
  expect(recordSentences.repeatsLeftOut(2_000)).toBe(
    "Did not compare 2,000 calls with earlier ones; there may be more repeats",
  );
});

test("they are among the sentences of all", () => {
  expect(sentences).toMatchObject(recordSentences);
});
