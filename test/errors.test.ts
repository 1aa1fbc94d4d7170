import { describe, expect, test } from "bun:test";
import { sentences, UserError } from "#errors.ts";

describe("each sentence", () => {
  for (const [name, make] of Object.entries(sentences)) {
    test(`${name} is one line without a period, in the case of its kind`, () => {
      const said: unknown = Reflect.apply(make, undefined, ["one", "two", "three", "four"]);
      expect(said).toBeString();
      expect(said).toMatch(/^(?:[A-Z"]|--|\S+:\S+:\S+: |(?:missing|unknown|unexpected) ).*[^.\s]$/);
      expect(said).not.toMatch(/\n| {2}|undefined/);
    });
  }
});

describe("sentences", () => {
  const literals: readonly (readonly [said: string, wanted: string])[] = [
    [
      sentences.optionValue("window", "lots", "a whole number of at least 1"),
      '--window must be a whole number of at least 1, not "lots"',
    ],
    [sentences.argumentUnexpected("x"), 'unexpected argument "x"'],
    [sentences.countersReset(3), "Reset 3 budget counters"],
    [sentences.countersReset(1), "Reset 1 budget counter"],
    [sentences.overLimit(1, 0), "The input has 1 token; --limit allows 0"],
    [
      sentences.budgetUnmatched("serach=10", 2, "search"),
      'Budget "serach=10" matches none of the server\'s 2 tools; did you mean "search"?',
    ],
    [
      sentences.budgetUnmatched("fetch=10", 1, undefined),
      'Budget "fetch=10" does not match the server\'s only tool',
    ],
    [
      sentences.fileUnreadable("calls.ndjson", "ENOENT"),
      'Cannot read "calls.ndjson": no such file or directory',
    ],
    [sentences.fileUnreadable("x", "EOTHER"), 'Cannot read "x": EOTHER'],
    [sentences.fileUnreadable("x", "toString"), 'Cannot read "x": toString'],
    [
      sentences.notUtf8("-"),
      "Standard input is not valid UTF-8; invalid bytes are counted as U+FFFD",
    ],
  ];
  for (const [said, wanted] of literals) test(wanted, () => expect(said).toBe(wanted));
});

test("an error carries its exit code, or leaves it to the command", () => {
  expect([new UserError("no", 127).exitCode, new UserError("no").exitCode]).toEqual([
    127,
    undefined,
  ]);
  expect(new UserError("no").name).toBe("UserError");
});
