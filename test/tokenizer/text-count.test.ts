import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { ENCODINGS, tokenizer } from "./support/oracle.ts";
import { mixedText, runText } from "./support/texts.ts";

/** Texts of many slices, pieces longer than a slice among them. */
const manySlices = fc
  .array(fc.tuple(fc.oneof(mixedText, runText), fc.nat(3000)), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(""));

for (const encoding of ENCODINGS) {
  describe(encoding, async () => {
    const ours = await tokenizer(encoding);

    test("TextCount counts the same in slices as at once", () => {
      fc.assert(
        fc.property(manySlices, fc.integer({ min: 300, max: 70_000 }), (text, work) => {
          const counting = ours.begin(text);
          let tokens = 0;
          while (!counting.advance(work)) {
            expect(counting.tokens).toBeGreaterThanOrEqual(0);
            tokens = counting.tokens;
          }
          expect(counting.tokens).toBe(ours.count(text));
          expect(tokens).toBeLessThanOrEqual(counting.tokens + 128);
        }),
        { numRuns: 25 },
      );
    }, 30_000);

    test("TextCount lets several counts take turns", () => {
      const texts = ["a".repeat(50_000), "hello world ".repeat(5000), "한글".repeat(9000)];
      const counts = texts.map((text) => ours.begin(text));
      const open = new Set(counts);
      while (open.size > 0) {
        for (const counting of open) if (counting.advance(1000)) open.delete(counting);
      }
      expect(counts.map(({ tokens }) => tokens)).toEqual(texts.map((text) => ours.count(text)));
    });
  });
}

test("TextCount returns soon even inside one piece of 1 MB", async () => {
  const ours = await tokenizer("o200k_base");
  for (const text of ["a".repeat(1e6), "thequickbrownfox".repeat(62_500), "가".repeat(333_333)]) {
    const counting = ours.begin(text);
    const slices: number[] = [];
    for (let isDone = false; !isDone;) {
      const began = performance.now();
      isDone = counting.advance(65_536);
      slices.push(performance.now() - began);
    }
    // The median, because a test shares its processor; the promise is 5 ms.
    expect(slices.toSorted((a, b) => a - b)[slices.length >> 1]).toBeLessThan(25);
    expect(slices.length).toBeGreaterThan(10);
  }
});
