import { describe, expect, test } from "bun:test";
import { Bill } from "#cost/bill.ts";
import { emptyBill, inTurn } from "#cost/countable.ts";

const counter = { count: (text: string) => text.length };

describe("inTurn", () => {
  test("counts the first bill, then the second, and settles both", () => {
    const charged: string[] = [];
    const bills = ["first", "second"].map((name) => {
      const bill = new Bill(counter);
      bill.add("x".repeat(10), (tokens) => charged.push(`${name} ${tokens}`));
      return bill;
    });
    const [first, second] = bills;
    if (!first || !second) throw new Error("two bills");
    const both = inTurn(first, second);
    expect(both.charactersLeft).toBe(20);
    both.advance(5);
    expect(charged).toEqual(["first 10"]);
    expect(both.settleByLength()).toBe(true);
    expect(charged).toEqual(["first 10", "second 3"]);
  });
});

test("the empty bill has nothing to count and nothing to charge", () => {
  expect([emptyBill.charactersLeft, emptyBill.advance(9), emptyBill.settleByLength()]).toEqual([
    0,
    0,
    false,
  ]);
});
