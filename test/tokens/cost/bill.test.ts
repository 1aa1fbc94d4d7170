import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { Bill } from "#tokens/cost/bill.ts";
import type { Counting } from "#tokens/tokenizer/tokenizer.ts";

// Counts one-letter words; in slices, as many characters as it may.
const letters = {
  counted: 0,
  count(text: string): number {
    this.counted += text.length;
    return text.length;
  },
};

function sliced(text: string): Counting {
  let done = 0;
  return {
    advance(workMax) {
      done = Math.min(text.length, done + workMax);
      return done === text.length;
    },
    get tokens() {
      return done;
    },
  };
}

const slicing = { count: (text: string) => text.length, begin: sliced };

function countInSlices(
  texts: readonly string[],
  slices: readonly number[],
): { sum: number; left: number } {
  let sum = 0;
  const bill = new Bill(slicing);
  for (const text of texts) bill.add(text, (tokens) => (sum += tokens));
  for (const slice of slices) bill.advance(slice);
  while (bill.advance(1_000) > 0);
  return { sum, left: bill.charactersLeft };
}

describe("Bill", () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.nat({ max: 900 }).map((length) => "x".repeat(length)),
    ),
    { maxLength: 12 },
  );

  test("slices add up to what counting at once gives", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 300 })), (list, slices) => {
        const total = list.reduce((sum, text) => sum + text.length, 0);
        expect(countInSlices(list, slices)).toEqual({ sum: total, left: 0 });
      }),
    );
  });

  test("a slice does about its work and no more texts than it needs", () => {
    const charged: number[] = [];
    const bill = new Bill(slicing);
    for (const length of [10, 10, 10])
      bill.add("x".repeat(length), (tokens) => charged.push(tokens));
    expect(bill.advance(11)).toBe(20);
    expect(charged).toEqual([10, 10]);
    expect(bill.charactersLeft).toBe(10);
  });

  test("a long text goes on where it stopped", () => {
    const charged: number[] = [];
    const bill = new Bill(slicing);
    bill.add("x".repeat(1_000), (tokens) => charged.push(tokens));
    expect([bill.advance(400), bill.advance(400)]).toEqual([400, 400]);
    expect(charged).toEqual([]);
    bill.advance(400);
    expect(charged).toEqual([1_000]);
  });

  test("an estimator without slices counts a long text at once", () => {
    const charged: number[] = [];
    const bill = new Bill({ count: (text) => text.length });
    bill.add("x".repeat(1_000), (tokens) => charged.push(tokens));
    bill.advance(1);
    expect(charged).toEqual([1_000]);
  });

  test("a long text that recurs is counted once and charged each time", () => {
    letters.counted = 0;
    const charged: number[] = [];
    const bill = new Bill(letters);
    for (let time = 0; time < 3; time += 1)
      bill.add("x".repeat(500), (tokens) => charged.push(tokens));
    bill.advance(10_000);
    expect(charged).toEqual([500, 500, 500]);
    expect(letters.counted).toBe(500);
  });

  test("empty texts are on no bill", () => {
    const bill = new Bill(slicing);
    bill.add("", () => expect.unreachable());
    expect([bill.charactersLeft, bill.advance(10), bill.settleByLength()]).toEqual([0, 0, false]);
  });

  test("settling charges four characters a token for what is left, and says so", () => {
    const charged: number[] = [];
    const bill = new Bill(slicing);
    bill.add("counted", (tokens) => charged.push(tokens));
    bill.add("x".repeat(9), (tokens) => charged.push(tokens));
    bill.advance(1);
    expect(bill.settleByLength()).toBe(true);
    expect(charged).toEqual([7, 3]);
    expect(bill.settleByLength()).toBe(false);
  });
});
