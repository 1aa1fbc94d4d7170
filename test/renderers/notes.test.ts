import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { notesOf } from "#renderers/notes.ts";
import { hostileText, unsafeIn } from "../support/hostile.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../support/made-records.ts";
import { fullSummary, hostileSummary } from "../support/made-summary.ts";
import { summaryOf } from "../support/play.ts";

const plain = (name: string): string => name;

test("each note says one thing, in order", () => {
  const notes = notesOf(fullSummary(), plain).map(({ about, says }) => `${about}: ${says}`);
  expect(notes.join("\n")).toMatchInlineSnapshot(`
    "in all: ~12,387 tokens, 6.2 % of a window of 200,000: ~7 tokens of definitions and instructions, ~12,380 tokens of calls
    definitions: 2 tools, ~160 tokens, 0.1 % of a window of 200,000; dearest: search 100, fetch 60
    resident: this client loads definitions on demand, ~7 tokens stay in context
    instructions: ~5 tokens
    unused: 1 of 2 tools were never called; their definitions are ~60 tokens
    budget: 100k/session: 12,390 of 100,000 tokens spent, 1 breach
    repeated: 1 call asked what had been asked before, ~15 tokens, most often search
    duplicate: ~24 tokens of text say the same as structuredContent
    heavy call: search: 9,000 tokens (2 times)
    note: 1 call never answered
    note: 1 call too long to count exactly, priced by length
    note: 1 answer after the call was cancelled, not charged
    note: 2 lines of the server not JSON-RPC
    note: 1 record lost on the way to the disk
    note: 1 fault while metering; traffic went on
    counted by: chars3 ●○○ a rough rule; ~ marks estimates"
  `);
});

test("a short session has little to say", () => {
  const summary = summaryOf([
    sessionRecord({ is_estimated: false, confidence: "high" }),
    callRecord(),
  ]);
  expect(notesOf(summary, plain)).toEqual([
    { about: "counted by", says: "chars3 ●●● a rough rule" },
  ]);
  expect(notesOf(summaryOf([]), plain)).toEqual([]);
});

test("a server without tools has no note about them", () => {
  const abouts = notesOf(summaryOf([definitionsRecord({ tools: [] })]), plain).map(
    ({ about }) => about,
  );
  expect(abouts).not.toContain("definitions");
});

test("nothing unsafe is in a note, whatever the records say", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      for (const { about, says } of notesOf(hostileSummary(text), plain)) {
        expect([about, unsafeIn(`${about} ${says}`)]).toEqual([about, []]);
      }
    }),
  );
});

test("what compact JSON would save is told with its share of the answers", () => {
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
