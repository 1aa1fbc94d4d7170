import { describe, expect, test } from "bun:test";
import { applyRules, reserveAll, readToolName } from "#meter/budgets/request-decision.ts";
import { accountsFor, arrivalOf, contextAt, echo } from "../../support/decisions.ts";

const request = (hasPassed = false) =>
  ({ call: echo(), tool: "echo", count: { tokens: 3, precision: "exactly" }, hasPassed }) as const;

const decided = (specs: readonly string[], told = {}, hasPassed = false) =>
  reserveAll(accountsFor(...specs), request(hasPassed), contextAt(told), []);

describe("applyRules", () => {
  test("forwards where no rule applies", () => {
    expect(applyRules(request(), {})).toMatchObject({
      kind: "forward",
      records: [],
    });
  });

  test("refuses a changed tool before it counts repeats", () => {
    const decision = applyRules(request(), { lockVerdict: "changed", repeatsMax: 3 });
    expect(decision).toMatchObject({ kind: "refuse", facts: { reason: "definition_changed" } });
    expect(decision.records).toHaveLength(1);
  });

  for (const [lockVerdict, reason] of [
    ["not locked", "tool_not_locked"],
    ["not seen", "definition_not_seen"],
  ] as const) {
    test(`refuses a tool that is ${lockVerdict}`, () => {
      const refusal = { kind: "refuse", facts: { reason } };
      expect(applyRules(request(), { lockVerdict })).toMatchObject(refusal);
    });
  }

  test("forwards a tool as the lock has it", () => {
    expect(applyRules(request(), { lockVerdict: "same" }).kind).toBe("forward");
  });

  test("refuses a call that was repeated too often", () => {
    const refusal = { kind: "refuse", facts: { reason: "repeated_call", spent: 3 } };
    expect(applyRules(request(), { repeatsMax: 3 })).toMatchObject(refusal);
  });

  test("refuses every call while a limit may be missing, before any other rule", () => {
    const decision = applyRules(request(), {
      isClosed: true,
      lockVerdict: "changed",
      repeatsMax: 3,
    });
    expect(decision).toMatchObject({
      kind: "refuse",
      facts: { reason: "config_invalid", budget: { spec: "on-fault closed" } },
    });
    expect(decision.records).toMatchObject([{ type: "breach", budget: "on-fault closed" }]);
  });

  test("only records a request that has passed", () => {
    const { kind, records } = applyRules(request(true), { lockVerdict: "changed", repeatsMax: 3 });
    expect([kind, records.length]).toEqual(["forward", 2]);
  });
});

describe("reserveAll", () => {
  test("reserves in every account", () => {
    const { decision, grant } = decided(["10/session", "echo=5"]);
    expect([decision.kind, grant?.claims.length]).toEqual(["forward", 2]);
  });

  test("reserves in none when one has no room", () => {
    const accounts = accountsFor("10/session", "echo=2");
    const { decision, grant } = reserveAll(accounts, request(), contextAt(), []);
    expect([decision.kind, grant]).toEqual(["refuse", undefined]);
    const [kept] = accounts.flatMap((account) => account.stored ?? []);
    expect(kept?.store.readStanding(kept.counter, contextAt().nowMs).taken).toBe(0);
  });

  test("asks for everything to be counted before it refuses", () => {
    expect(decided(["echo=2"], { isSettled: false }).decision.kind).toBe("unsettled");
  });

  test("says why: the arguments exceed the limit, or the budget is used up", () => {
    const spent = accountsFor("3/session");
    reserveAll(spent, request(), contextAt(), []);
    const reason = { facts: { reason: "budget_spent" } };
    expect(reserveAll(spent, request(), contextAt(), []).decision).toMatchObject(reason);
    const tooMuch = { facts: { reason: "arguments_over_budget" } };
    expect(decided(["2/session"]).decision).toMatchObject(tooMuch);
  });

  test("holds a request of a throttled budget as long as it may be held", () => {
    const full = () => {
      const accounts = accountsFor("1calls/minute:throttle");
      reserveAll(accounts, request(), contextAt(), []);
      return accounts;
    };
    const { nowMs } = contextAt();
    const held = reserveAll(full(), request(), contextAt({ holdMaxMs: 60_000 }), []);
    expect(held.decision).toMatchObject({ kind: "hold", untilMs: nowMs + 60_000 });
    const tooLong = reserveAll(full(), request(), contextAt({ holdMaxMs: 59_999 }), []);
    expect(tooLong.decision.kind).toBe("refuse");
  });

  test("forwards a request that has passed, as a breach", () => {
    const { decision, grant } = decided(["echo=2"], {}, true);
    expect(decision).toMatchObject({ kind: "forward", records: [{ is_enforced: false }] });
    expect(grant?.claims).toMatchObject([{ isBreached: true }]);
  });

  test("forwards beyond a budget that only warns; the breach follows with the cost", () => {
    const { decision, grant } = decided(["echo=2:warn"]);
    expect(decision).toEqual({ kind: "forward", records: [] });
    expect(grant?.claims).toMatchObject([{ isBreached: false }]);
  });
});

test("toolNamed is the name that was parsed", () => {
  expect(readToolName(echo(), arrivalOf(10))).toBe("echo");
});
