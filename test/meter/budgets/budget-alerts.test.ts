import { describe, expect, test } from "bun:test";
import { type Account, type Claim, makeGrant, reserve } from "#meter/budgets/accounts.ts";
import { recordSpending } from "#meter/budgets/budget-alerts.ts";
import { accountsFor, echo } from "../../support/decisions.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const call = echo();

function accountOf(spec: string): Account {
  const [account] = accountsFor(spec);
  return account ?? expect.unreachable();
}

function claimed(account: Account, tokens: number): Claim {
  const claim = reserve(makeGrant(tokens), account, noon);
  if (!claim) throw new Error("there is room for it");
  return claim;
}

describe("a finished call", () => {
  const settings = { nowMs: noon, warnAtPercent: 80 };

  test("that nothing stopped is a breach that was not enforced, once a call", () => {
    const claim = claimed(accountOf("echo=10:warn"), 1);
    const types = (amount: number, of: Claim = claim) =>
      recordSpending(of, { call, amount, tokens: amount }, settings);
    expect(types(10).map(({ type }) => type)).toEqual(["alert"]);
    expect(types(11)).toMatchObject([{ type: "breach", is_enforced: false, tokens: 11 }]);
    expect(types(11, { ...claim, isBreached: true })).toEqual([]);
  });

  test("that spends a share of its budget is reported once, by the budget's share or the session's", () => {
    for (const [warnAtPercent, spent, reported] of [
      [80, 79, 0],
      [80, 80, 1],
      [50, 50, 1],
    ] as const) {
      const claim = claimed(accountOf("100/session"), spent);
      const alerts = [1, 2].flatMap(() =>
        recordSpending(
          claim,
          { call, amount: spent, tokens: spent },
          { nowMs: noon, warnAtPercent },
        ),
      );
      expect(alerts).toHaveLength(reported);
      const alert = {
        alert: "budget_warning",
        value: spent,
        detail: `${spent}% of 100/session spent`,
      };
      if (reported > 0) expect(alerts).toMatchObject([alert]);
    }
  });
});
