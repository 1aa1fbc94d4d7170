import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { listBlocks, countParts, countTexts, boundMedia } from "#tokens/cost/count-parts.ts";
import { countResultCeiling, describeToolResult } from "#tokens/cost/visibility.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { noRequestFacts, readAs } from "../../support/readings.ts";

const reader = plainReader(undefined);
const text = (of: string) => ({ type: "text", text: of });

test("texts add up, each by itself", () => {
  expect(countTexts(["abc", "", "abcd"], reader)).toBe(1 + 0 + 2);
});

test("beyond what is enough, the number is above it and nothing more is promised", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 50 })), fc.nat({ max: 60 }), (texts, enough) => {
      const total = countTexts(texts, reader);
      const bounded = countTexts(texts, reader, enough);
      expect(bounded > enough).toBe(total > enough);
      if (total <= enough) expect(bounded).toBe(total);
    }),
  );
});

test("a result is what the model sees of it", () => {
  const result = { content: [text("abc"), { type: "image", data: "AAAA", mimeType: "image/png" }] };
  const [, image] = describeToolResult(result, readAs(undefined)).visible;
  // An image of unknown size may be one of the largest.
  const most = image && image.kind !== "text" ? boundMedia(image, reader) : 0;
  expect(most).toBeGreaterThan(countParts(image ? [image] : [], reader));
  expect(countResultCeiling(result, reader, noRequestFacts)).toBe(1 + most);
});

test("chars4 prices a content array as a whole", () => {
  const seed = plainReader(undefined, "chars4");
  expect(countResultCeiling({ content: [text("x".repeat(100))] }, seed, noRequestFacts)).toBe(
    (100 + 40 + 20) / 4,
  );
});

test("blocks are each once", () => {
  const block = text("a");
  expect(
    listBlocks(describeToolResult({ content: [block, block] }, readAs(undefined)).visible).size,
  ).toBe(1);
});
