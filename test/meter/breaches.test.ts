import { describe, expect, test } from "bun:test";
import { actions } from "#actions/index.ts";
import { Accounts } from "#meter/accounts.ts";
import { Breaches, refillOf } from "#meter/breaches.ts";
import { parseBudget } from "#meter/budget.ts";
import { Call } from "#meter/call.ts";
import { Grant } from "#meter/grant.ts";
import { askedOf } from "#meter/parts.ts";
import { MemoryPurses } from "#meter/purse.ts";

const noon = Date.UTC(2026, 10, 21, 12);
const request = { id: { value: 7 }, method: "tools/call", truncated: false };
const call = new Call("client", request, askedOf("tools/call", { name: "t" }), 10, 0);

/** The account that a call of `t` has in a budget. */
function accountOf(spec: string) {
  const books = { session: new MemoryPurses(), shared: new MemoryPurses() };
  const [account] = new Accounts([parseBudget(spec, actions)], actions, books, "s").of(call, "t");
  if (!account) throw new Error(`${spec} is for another tool`);
  return account;
}

const price = { tokens: 30, sureness: "exactly" } as const;
const shortage = { call, tool: "t", ...price, didRun: false, isEnforced: true };

describe("Breaches", () => {
  test("a breach says what was crossed, by whom, and is counted", () => {
    const breaches = new Breaches(80);
    const account = accountOf("t=10/session");
    const facts = breaches.add(account, { ...shortage, reason: "arguments_over_budget" }, noon);
    expect(facts).toMatchObject({ name: "t", tokens: 30, refillMs: Infinity });
    expect(account.breaches).toBe(1);
    expect(breaches.take()).toMatchObject([
      { type: "breach", budget: "t=10/session", limit: 10, tokens: 30, tool: "t", request_id: 7 },
    ]);
    expect(breaches.take()).toEqual([]);
  });

  test("repeats and changed tools are breaches of their own", () => {
    const breaches = new Breaches(80);
    expect(breaches.addRepeat(3, shortage)).toMatchObject({ reason: "repeated_call", spent: 3 });
    expect(breaches.addChanged(shortage)).toMatchObject({ reason: "definition_changed" });
    expect(breaches.take()).toMatchObject([{ budget: "max-repeats 3" }, { budget: "lock" }]);
  });

  test("a purse that passes its share is told once", () => {
    const breaches = new Breaches(80);
    const account = accountOf("t=100/session");
    for (const amount of [79, 1, 5]) {
      const claim = new Grant(amount).reserve(account, noon);
      if (!claim?.hold) throw new Error("there is room for it");
      account.kept?.book.settle(claim.hold, amount);
      breaches.look(claim, call, amount, noon);
    }
    expect(breaches.take()).toMatchObject([{ alert: "budget_warning", value: 80, limit: 100 }]);
  });
});

test("refillOf is the next window, and never for a session", () => {
  expect(refillOf(accountOf("t=10/hour"), noon + 1)).toBe(noon + 3_600_000);
  expect(refillOf(accountOf("t=10/session"), noon)).toBe(Infinity);
  expect(refillOf(accountOf("t=10"), noon)).toBe(Infinity);
});
