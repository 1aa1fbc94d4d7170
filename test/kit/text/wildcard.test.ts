import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { passesPatterns, matchesWildcard, isWildcard } from "#kit/text/match-names.ts";
import { cpuMs } from "../../support/measure.ts";

describe("matchesWildcard", () => {
  const rows: readonly (readonly [pattern: string, name: string, fits: boolean])[] = [
    ["search", "search", true],
    ["search", "Search", false],
    ["search", "search_all", false],
    ["fetch_*", "fetch_", true],
    ["fetch_*", "fetch_page", true],
    ["fetch_*", "prefetch_page", false],
    ["*", "", true],
    ["*", "anything\n*", true],
    ["", "", true],
    ["", "a", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["*b*d", "abcd", true],
    ["*ab", "aab", true],
    ["a*a", "a", false],
    ["[a]", "a", false],
    ["a.c", "abc", false],
  ];
  for (const [pattern, name, fits] of rows) {
    test(`${pattern} ${fits ? "fits" : "does not fit"} ${JSON.stringify(name)}`, () => {
      expect(matchesWildcard(pattern, name)).toBe(fits);
    });
  }

  test("agrees with a regular expression", () => {
    const letters = fc
      .array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 8 })
      .map((list) => list.join(""));
    const names = fc
      .array(fc.constantFrom("a", "b"), { maxLength: 10 })
      .map((list) => list.join(""));
    fc.assert(
      fc.property(letters, names, (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`);
        expect(matchesWildcard(pattern, name)).toBe(expression.test(name));
      }),
    );
  });

  test("no pattern makes a long name slow", async () => {
    const spent = await cpuMs(() => {
      expect(matchesWildcard(`${"*a".repeat(20)}b`, "a".repeat(20_000))).toBe(false);
    });
    expect(spent).toBeLessThan(1_000);
  });
});

test("isWildcard", () => {
  expect(["a", "a*", "?", "[a]"].map(isWildcard)).toEqual([false, true, true, false]);
});

test("passesPatterns: one pattern must match, and without patterns each name does", () => {
  expect(passesPatterns([], "read")).toBe(true);
  expect(passesPatterns(["write", "re*"], "read")).toBe(true);
  expect(passesPatterns(["write"], "read")).toBe(false);
});
