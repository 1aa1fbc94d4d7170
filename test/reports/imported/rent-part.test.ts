import { expect, test } from "bun:test";
import { addRents } from "#reports/imported/rent-part.ts";

const part = { requests: 2, unknownRequests: 0, tokens: 100 };

test("parts add up, and an amount is null only where no request has a price", () => {
  expect(addRents(part, { requests: 3, unknownRequests: 3, tokens: 0 })).toEqual({
    requests: 5,
    unknownRequests: 3,
    tokens: 100,
  });
  const amounts = [null, 5, undefined];
  const sums = amounts.map(
    (one) =>
      addRents(
        { ...part, nanoDollars: null },
        one === undefined ? part : { ...part, nanoDollars: one },
      ).nanoDollars,
  );
  expect(sums).toEqual([null, 5, null]);
  expect(addRents({ ...part, nanoDollars: 2 }, { ...part, nanoDollars: 3 }).nanoDollars).toBe(5);
});
