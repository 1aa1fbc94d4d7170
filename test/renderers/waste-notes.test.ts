import { expect, test } from "bun:test";
import { notesOf } from "#renderers/notes.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { summaryOf } from "../support/play.ts";

test("notesOf: what compact JSON would save is told with its share of the answers", () => {
  const overhead = {
    user_only_tokens: 0,
    preamble_tokens: 0,
    json_tokens: 3_000,
    minified_tokens: 1_800,
    structure_ratio: 0.6,
  };
  const heavy = callRecord({ output_tokens: 3_150, overhead });
  const summary = summaryOf([sessionRecord(), heavy, callRecord({ tool: "fetch" })]);
  const notes = notesOf(summary, (name) => `<${name}>`);
  expect(notes.filter(({ about }) => about === "compact JSON")).toEqual([
    {
      about: "compact JSON",
      says: "minified, <search>'s answers would be 38 % smaller (~1,200 tokens)",
    },
  ]);
});
