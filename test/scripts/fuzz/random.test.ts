import { expect, test } from "bun:test";
import { Random, seedFrom } from "../../../scripts/fuzz/random.ts";

function numbers(seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: 20 }, () => random.between(0, 1_000));
}

test("the same seed gives the same numbers, another seed others", () => {
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
  expect(numbers(7).every((number) => number >= 0 && number <= 1_000)).toBe(true);
});

test("a choice has its weight, and a shuffled list the same elements", () => {
  const random = new Random(1);
  const choices = Array.from({ length: 1_000 }, () =>
    random.weighted([
      [9, "often"],
      [1, "seldom"],
    ]),
  );
  const often = choices.filter((choice) => choice === "often").length;
  expect(often).toBeGreaterThan(850);
  expect(often).toBeLessThan(950);
  expect(new Set(random.shuffled([1, 2, 3, 4]))).toEqual(new Set([1, 2, 3, 4]));
  expect(() => random.pick([])).toThrow("empty list");
});

test("seeds of neighbours differ", () => {
  const seeds = Array.from({ length: 1_000 }, (_, index) => seedFrom(1, index));
  expect(new Set(seeds).size).toBe(1_000);
  expect(seedFrom(1, 2)).not.toBe(seedFrom(2, 1));
});
