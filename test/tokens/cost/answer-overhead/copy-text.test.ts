import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { copyText } from "#tokens/cost/answer-overhead/overhead-draft.ts";

test("copyText is the same text, lone surrogates included", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, at) => {
      const slice = text.slice(at % (text.length + 1));
      expect(copyText(slice)).toBe(slice);
    }),
  );
  expect(copyText("a\ud800b")).toBe("a\ud800b");
});

test("copyText does not keep the text that a slice was cut from (slow)", () => {
  const remaining: string[] = [];
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  for (let at = 0; at < 200; at += 1) {
    remaining.push(copyText(copyText(`${at} `.repeat(100_000)).slice(0, 3_000)));
    if (at % 20 === 0) Bun.gc(true);
  }
  // Kept as slices of the large text, they would take 90 MB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(45_000_000);
  expect(remaining.length).toBe(200);
});
