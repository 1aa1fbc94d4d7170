import {
  type Account,
  type Claim,
  gatesAnswers,
  makeGrant,
  release,
  reserve,
  computeRoom,
  spend,
  spendAnyway,
} from "#meter/budgets/accounts.ts";
import { describe, expect, test } from "bun:test";
import { accountsFor } from "../../support/decisions.ts";

function accountOf(spec: string): Account {
  const [account] = accountsFor(spec);
  return account ?? expect.unreachable();
}

function claimed(account: Account, input: number): Claim {
  const claim = reserve(makeGrant(input), account, 0);
  if (!claim) throw new Error("there is room for it");
  return claim;
}

const taken = ({ stored: kept }: Account): number =>
  kept?.store.readStanding(kept.counter, 0).taken ?? 0;

describe("a grant", () => {
  test("keeps the request back as far as there is room, at least a token, and gives it back", () => {
    const account = accountOf("10/session");
    const [grant, other] = [makeGrant(8), makeGrant(3)];
    expect([reserve(grant, account, 0) !== undefined, reserve(other, account, 0)]).toEqual([
      true,
      undefined,
    ]);
    expect(reserve(other, account, 0, true)).toBeDefined();
    expect(taken(account)).toBe(11);
    for (const one of [grant, other]) release(one);
    expect(taken(account)).toBe(0);
    reserve(makeGrant(0), account, 0);
    expect(taken(account)).toBe(1);
  });

  test("an account gates answers where its action may keep one for its tokens", () => {
    const specs = ["10", "10/session", "10:spill", "9calls/day", "10:warn", "10/day:throttle"];
    expect(specs.map((spec) => gatesAnswers(accountOf(spec)))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a claim", () => {
  test("spends what there is room for, in place of what it held", () => {
    const account = accountOf("10/session");
    const claim = claimed(account, 4);
    expect([spend(claim, 10, 0), taken(account)]).toEqual([true, 10]);
    expect([spend(claim, 11, 0), taken(account)]).toEqual([false, 10]);
    expect([spend(claim, 5, 0), taken(account), computeRoom(claim, 0)]).toEqual([true, 5, 10]);
    spendAnyway(claim, 30, 0);
    expect(taken(account)).toBe(30);
  });

  test("of an action that lets answers pass spends whatever it is", () => {
    const account = accountOf("10/session:warn");
    expect([spend(claimed(account, 1), 99, 0), taken(account)]).toEqual([true, 99]);
  });

  test("of calls is one call, however many tokens it has", () => {
    const account = accountOf("2calls/session");
    const claim = claimed(account, 1_000);
    expect([spend(claim, 9_000, 0), taken(account)]).toEqual([true, 1]);
    spendAnyway(claim, 9_000, 0);
    expect(taken(account)).toBe(1);
  });

  test("of a limit on each call has that limit as its room", () => {
    const claim = claimed(accountOf("10"), 4);
    expect([spend(claim, 10, 0), spend(claim, 11, 0), computeRoom(claim, 0)]).toEqual([
      true,
      false,
      10,
    ]);
  });
});
