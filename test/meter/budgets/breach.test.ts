import {
  recordBudgetBreach,
  recordRuleBreach,
  computeNextRefill,
} from "#meter/budgets/breaches.ts";
import { type Account, makeGrant, reserve } from "#meter/budgets/accounts.ts";
import { describe, expect, test } from "bun:test";
import { accountsFor, echo } from "../../support/decisions.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const call = echo();

function accountOf(spec: string): Account {
  const [account] = accountsFor(spec);
  return account ?? expect.unreachable();
}

const shortage = {
  call,
  tool: "echo",
  reason: "budget_spent",
  tokens: 12,
  precision: "exactly",
  didRun: false,
  isEnforced: true,
} as const;

describe("a breach", () => {
  test("of an account is a record, the facts of a refusal, and counted", () => {
    const account = accountOf("echo=100/hour");
    reserve(makeGrant(95), account, noon);
    const { record, facts } = recordBudgetBreach(account, shortage, noon);
    expect(facts).toMatchObject({
      name: "echo",
      reason: "budget_spent",
      spent: 95,
      tokens: 12,
      refillMs: 3_600_000,
    });
    expect(account.breaches).toBe(1);
    expect(record).toEqual({
      type: "breach",
      budget: "echo=100/hour",
      limit: 100,
      unit: "tokens",
      per: "hour",
      spent: 95,
      tokens: 12,
      action: "error",
      is_enforced: true,
      did_run: false,
      tool: "echo",
      request_id: 7,
    });
  });

  test("of the limit of repeats has that limit", () => {
    const { record, facts } = recordRuleBreach("max-repeats 3", 3, {
      ...shortage,
      reason: "repeated_call",
    });
    expect(facts).toMatchObject({ reason: "repeated_call", spent: 3 });
    expect(record).toMatchObject({ budget: "max-repeats 3", limit: 3, unit: "calls" });
  });

  test("of the lock never refills", () => {
    const { record, facts } = recordRuleBreach("lock", 0, {
      ...shortage,
      reason: "definition_changed",
    });
    expect(facts).toMatchObject({ reason: "definition_changed", refillMs: Infinity });
    expect(record).toMatchObject({ budget: "lock", limit: 0, is_enforced: true });
  });
});

test("a limit per call does not refill, an hour does at its end", () => {
  expect(computeNextRefill(accountOf("10"), noon)).toBe(Infinity);
  expect(computeNextRefill(accountOf("10/session"), noon)).toBe(Infinity);
  expect(computeNextRefill(accountOf("10/hour"), noon + 1)).toBe(noon + 3_600_000);
});
