import { describeAnswer, type Closing } from "#meter/calls/call.ts";
import { describe, expect, test } from "bun:test";
import { claudeCode } from "#tokens/cost/client-profiles/claude-code.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { makeAnswerContext } from "#tokens/cost/visibility.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { draftCall, type Draft } from "#meter/session/call-draft.ts";
import { common } from "../../support/made-records.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { sha256 } from "../../support/play.ts";
import { watchedEstimator } from "./support/watched-estimator.ts";
import { callOf } from "../../support/made-calls.ts";
import { countingSliceCharacters } from "#meter/session/charge.ts";

const deps = { risk: riskThresholdsDefault, hash: sha256 };

const characters = 360_000;
const texts = {
  few: "a".repeat(characters),
  "as many as pass": ` ${"a".repeat(13)}`.repeat(25_000),
  "one too many": ` ${"a".repeat(13)}`.repeat(25_001),
};

function drafted(
  text: string,
  tools?: Reader["tools"],
): { draft: Draft; counted: number[]; limited: unknown } {
  const { estimator, counted } = watchedEstimator();
  const reader = {
    ...plainReader(undefined),
    estimator,
    profile: claudeCode({}),
    ...(tools && { tools }),
  };
  const call = callOf({ name: "search", arguments: {} }, { atMs: 5 });
  const result = { content: [{ type: "text", text }] };
  const closing: Closing = { outcome: "ok", endedMs: 17, result };
  const { limited } = describeAnswer(call.method, closing, makeAnswerContext(reader, call.request));
  counted.length = 0;
  return { draft: draftCall(call, closing, reader, deps), counted, limited };
}

describe("an answer whose tokens decide what its client shows", () => {
  test.each(Object.entries(texts))(
    "is counted in slices, with the same result: %s",
    (_name, text) => {
      const { draft, counted, limited } = drafted(text);
      expect(draft.bill.charactersLeft).toBeGreaterThan(0);
      while (draft.bill.charactersLeft > 0) draft.bill.advance(countingSliceCharacters);
      expect(limited).toBeDefined();
      expect(draft.shown).toMatchObject({ limited });
      expect(Math.max(...counted)).toBeLessThanOrEqual(countingSliceCharacters);
      // Once for the limit and for the record, and once in search of overhead.
      expect(counted.reduce((sum, length) => sum + length, 0)).toBeLessThan(2.2 * text.length);
      expect(draft.finish(common, false)).toMatchObject({
        truncated: false,
        wire_tokens: text.split(" ").length - 1,
      });
    },
  );

  test("is read by its length when there is no time to count it", () => {
    const { draft, counted } = drafted(texts.few);
    expect(draft.bill.settleByLength()).toBe(true);
    // 360,000 characters are 90,000 tokens by their length.
    expect(draft.shown?.limited).toMatchObject({ unit: "token", limit: 25_000 });
    expect(draft.finish(common, true)).toMatchObject({ truncated: true, wire_tokens: 90_000 });
    expect(Math.max(0, ...counted)).toBeLessThanOrEqual(countingSliceCharacters);
  });

  test("is read with the list of tools of its time, also when a later list arrives while it is counted", () => {
    let meta = {};
    const { draft } = drafted(texts.few, { find: () => ({ _meta: meta }) });
    meta = { "anthropic/maxResultSizeChars": 500_000 };
    while (draft.bill.charactersLeft > 0) draft.bill.advance(countingSliceCharacters);
    expect(draft.shown?.limited).toMatchObject({ unit: "character", limit: 50_000 });
  });

  test("cannot be finished before", () => {
    expect(() => drafted(texts.few).draft.finish(common, false)).toThrow("before it began");
  });
});
