import { expect, test } from "bun:test";
import { amountWithCall, breachUse } from "#records/breach-use.ts";
import { breachRecord } from "../support/made-records.ts";

test("the call itself is part of the use", () => {
  const tokens = breachRecord({ limit: 2_000, spent: 1_500, tokens: 1_620, per: "day" });
  expect(breachUse(tokens)).toBe("3,120 of 2,000 tokens per day");
  const calls = breachRecord({ limit: 2, spent: 2, tokens: 900, unit: "calls", per: "session" });
  expect([breachUse(calls), amountWithCall(calls)]).toEqual(["3 of 2 calls per session", 3]);
});
