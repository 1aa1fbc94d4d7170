import { describe, expect, test } from "bun:test";
import { actions } from "#actions/index.ts";
import { Accounts } from "#meter/accounts.ts";
import { parseBudget } from "#meter/budget.ts";
import { Call } from "#meter/call.ts";
import { Grant, roomOf, spend, spendAnyway } from "#meter/grant.ts";
import { askedOf } from "#meter/parts.ts";
import { MemoryPurses } from "#meter/purse.ts";

const noon = Date.UTC(2026, 10, 21, 12);

/** The account that a call of `t` has in a budget. */
function accountOf(spec: string) {
  const books = { session: new MemoryPurses(), shared: new MemoryPurses() };
  const accounts = new Accounts([parseBudget(spec, actions)], actions, books, "server");
  const request = { id: { value: 1 }, method: "tools/call", truncated: false };
  const call = new Call("client", request, askedOf("tools/call", { name: "t" }), 10, 0);
  const [account] = accounts.of(call, "t");
  if (!account) throw new Error(`${spec} is for another tool`);
  return account;
}

describe("Grant", () => {
  test("keeps back what a request costs, and gives it back", () => {
    const account = accountOf("t=100/session");
    const grant = new Grant(30);
    const claim = grant.reserve(account, noon);
    expect(claim && roomOf(claim, noon)).toBe(100);
    expect(new Grant(71).reserve(account, noon)).toBeUndefined();
    grant.release();
    expect(new Grant(71).reserve(account, noon)).toBeDefined();
  });

  test("an empty purse has no room for a request of no tokens either", () => {
    const account = accountOf("t=10/session");
    expect(new Grant(10).reserve(account, noon)).toBeDefined();
    expect(new Grant(0).reserve(account, noon)).toBeUndefined();
  });

  test("what is forced in is charged all the same", () => {
    const account = accountOf("t=10/session:warn");
    expect(new Grant(30).reserve(account, noon, true)).toBeDefined();
    expect(account.kept?.book.taken(account.kept.purse, noon)).toBe(30);
  });
});

describe("spend", () => {
  test("spends what fits, and nothing of what does not", () => {
    const account = accountOf("t=100/session");
    const claim = new Grant(30).reserve(account, noon);
    expect(claim && spend(claim, 101, noon)).toBe(false);
    expect(claim && spend(claim, 100, noon)).toBe(true);
    expect(account.kept?.book.taken(account.kept.purse, noon)).toBe(100);
  });

  test("a limit on each call is for that call alone", () => {
    const claim = new Grant(1).reserve(accountOf("t=50"), noon);
    expect(claim && [spend(claim, 50, noon), spend(claim, 51, noon)]).toEqual([true, false]);
  });

  test("spendAnyway asks nobody", () => {
    const account = accountOf("t=10/session");
    const claim = new Grant(1).reserve(account, noon);
    if (claim) spendAnyway(claim, 500, noon);
    expect(account.kept?.book.taken(account.kept.purse, noon)).toBe(500);
  });
});
