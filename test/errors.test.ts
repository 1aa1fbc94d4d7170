import { describe, expect, test } from "bun:test";
import { sentences, UserError } from "#errors.ts";

describe("each sentence", () => {
  for (const [name, make] of Object.entries(sentences)) {
    test(`${name} is one line without a period at its end`, () => {
      const said: unknown = Reflect.apply(make, undefined, [["one"], "two", "three", "four"]);
      expect(said).toBeString();
      expect(said).toMatch(/^["A-Zo].*[^.\s]$/);
      expect(said).not.toMatch(/\n| {2}|undefined/);
    });
  }
});

test("a mistake carries its exit code, or leaves it to the command", () => {
  expect([new UserError("no", 127).exitCode, new UserError("no").exitCode]).toEqual([
    127,
    undefined,
  ]);
  expect(new UserError("no").name).toBe("UserError");
});
