import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { estimateImage, type ImageRuleId } from "#tokens/cost/media/image.ts";

const checks: readonly (readonly [ImageRuleId, width: number, height: number, tokens: number])[] = [
  ["claude-4.6", 1024, 1024, 1369],
  ["claude-4.6", 1568, 784, 1568],
  ["claude-4.6", 1920, 1080, 1568],
  ["claude-4.6", 28, 28, 1],
  ["claude-4.6", 29, 28, 2],
  ["claude-5", 1024, 1024, 1369],
  ["claude-5", 1920, 1080, 2691],
  ["claude-5", 2000, 1500, 3888],
  ["claude-5", 2576, 2576, 4784],
  ["claude-5", 5152, 280, 92 * 5],
  ["gpt-4o", 1024, 1024, 765],
  ["gpt-4o", 2048, 4096, 1105],
  ["gpt-4o", 512, 512, 255],
  ["gpt-4o", 100, 100, 255],
  ["gpt-5", 1024, 1024, 630],
  ["gpt-5", 2048, 4096, 910],
  ["gpt-5.5", 1024, 1024, 1229],
  ["gpt-5.5", 1920, 1080, 2448],
  ["gpt-5.5", 6000, 6000, 12_000],
  ["gemini-2", 384, 384, 258],
  ["gemini-2", 385, 384, 258],
  ["gemini-2", 1024, 1024, 1032],
  ["gemini-2", 9000, 9000, 4128],
  ["gemini-3", 1, 1, 1100],
  ["gemini-3", 4000, 4000, 1100],
];

const rules = [...new Set(checks.map(([rule]) => rule))];

describe("priceImage", () => {
  test.each(checks)("%s: %i × %i is %i tokens", (rule, width, height, tokens) => {
    expect(estimateImage(rule, { width, height })).toEqual({ tokens, confidence: "medium" });
  });

  test.each(rules)("%s: of unread size, as 1024 × 1024 and low", (rule) => {
    const { tokens } = estimateImage(rule, { width: 1024, height: 1024 });
    expect(estimateImage(rule, undefined)).toEqual({ tokens, confidence: "low" });
  });

  test.each(rules)("%s: any size is whole, at least 1, at most 12 000", (rule) => {
    const side = fc.integer({ min: 1, max: 0xffffffff });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const { tokens } = estimateImage(rule, { width, height });
        expect(Number.isSafeInteger(tokens) && tokens >= 1 && tokens <= 12_000).toBe(true);
      }),
    );
  });
});
