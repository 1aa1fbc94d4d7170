import { describe, expect, test } from "bun:test";
import { actions } from "#actions/index.ts";
import { type Account, Accounts } from "#budgets/accounts.ts";
import { Breaches, refillOf } from "#budgets/breaches.ts";
import { parseBudget } from "#budgets/budget.ts";
import { Call } from "#calls/call.ts";
import { Grant } from "#budgets/grant.ts";
import { describeRequest } from "#cost/methods.ts";
import { MemoryCounters } from "#budgets/counter.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const params = { name: "echo" };
const request = { id: { value: 7 }, method: "tools/call", params, truncated: false };
const call = new Call("client", request, describeRequest(request.method, params), 10, 0);

function accountOf(spec: string): Account {
  const books = { session: new MemoryCounters(), shared: new MemoryCounters() };
  const [account] = new Accounts([parseBudget(spec, actions)], actions, books, "x").of(call);
  if (!account) throw new Error(`${spec} is about something else`);
  return account;
}

const shortage = {
  call,
  tool: "echo",
  reason: "budget_spent",
  tokens: 12,
  sureness: "exactly",
  didRun: false,
  isEnforced: true,
} as const;

describe("Breaches", () => {
  test("writes a breach down and says what a refusal has to say", () => {
    const breaches = new Breaches(80);
    const account = accountOf("echo=100/hour");
    new Grant(95).reserve(account, noon);
    expect(breaches.add(account, shortage, noon)).toMatchObject({
      name: "echo",
      reason: "budget_spent",
      spent: 95,
      tokens: 12,
      refillMs: 3_600_000,
    });
    expect(account.breaches).toBe(1);
    expect(breaches.take()).toEqual([
      {
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
      },
    ]);
    expect(breaches.take()).toEqual([]);
  });

  test("a repeated call is a breach of its own", () => {
    const breaches = new Breaches(80);
    expect(breaches.addRepeat(3, shortage)).toMatchObject({ reason: "repeated_call", spent: 3 });
    expect(breaches.take()).toMatchObject([{ budget: "max-repeats 3", limit: 3, unit: "calls" }]);
  });

  test("a paid call that nobody stopped is a breach that was not enforced, once a call", () => {
    const breaches = new Breaches(80);
    const account = accountOf("echo=10:warn");
    const claim = new Grant(1).reserve(account, noon);
    if (!claim) throw new Error("there is room for it");
    breaches.look(claim, call, 10, noon);
    expect(breaches.take().map(({ type }) => type)).toEqual(["alert"]);
    breaches.look(claim, call, 11, noon);
    expect(breaches.take()).toMatchObject([{ type: "breach", is_enforced: false, tokens: 11 }]);
    breaches.look({ ...claim, isBreached: true }, call, 11, noon);
    expect(breaches.take()).toEqual([]);
  });

  test("an account that is spent so far is told of once, by its own share or the session's", () => {
    for (const [percent, spent, told] of [
      [80, 79, 0],
      [80, 80, 1],
      [50, 50, 1],
    ] as const) {
      const breaches = new Breaches(percent);
      const claim = new Grant(spent).reserve(accountOf("100/session"), noon);
      if (!claim) throw new Error("there is room for it");
      for (const _ of [1, 2]) breaches.look(claim, call, spent, noon);
      const alerts = breaches.take();
      expect(alerts).toHaveLength(told);
      const alert = {
        alert: "budget_warning",
        value: spent,
        detail: `${spent} % of 100/session is spent`,
      };
      if (told > 0) expect(alerts).toMatchObject([alert]);
    }
  });
});

test("a limit on each call does not refill, an hour does at its end", () => {
  expect(refillOf(accountOf("10"), noon)).toBe(Infinity);
  expect(refillOf(accountOf("10/session"), noon)).toBe(Infinity);
  expect(refillOf(accountOf("10/hour"), noon + 1)).toBe(noon + 3_600_000);
});
