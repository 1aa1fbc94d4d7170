import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { hostileText, findUnsafeText } from "../../support/hostile.ts";

const rows: readonly (readonly [rawName: string, name: string])[] = [
  ["search", "search"],
  ["exactly10!", "exactly10!"],
  ["more than ten", "more than…"],
  ["", '""'],
  ["a\u202eb", "a\\u202eb"],
  ["a\nb\0", "a\\u000ab…"],
  ["1234567\u200b", "1234567…"],
  ["\u{e0041}x", "…"],
  ["🌹🌹🌹🌹🌹", "🌹🌹🌹🌹🌹"],
  ["🌹🌹🌹🌹🌹🌹", "🌹🌹🌹🌹…"],
];
for (const [rawName, name] of rows) {
  test(`${JSON.stringify(rawName)} in ten characters is ${name}`, () => {
    expect(makeSafeName(rawName, 10)).toBe(name);
  });
}

test("a name of any kind is safe, well-formed and within the limit", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 2, max: 300 }), (rawName, charactersMax) => {
      const name = makeSafeName(rawName, charactersMax);
      expect([findUnsafeText(name), name.isWellFormed()]).toEqual([[], true]);
      expect(name.length).toBeLessThanOrEqual(charactersMax);
    }),
  );
});
