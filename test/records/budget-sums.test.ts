import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sumBudgets } from "#records/ledger.ts";
import type { BudgetState, EndRecord } from "#records/record.ts";
import type { BudgetSum } from "#records/summary.ts";
import { endRecord } from "../support/made-records.ts";
import { summaryOf } from "../support/play.ts";

describe("sumBudgets", () => {
  test("a counter that outlives sessions has its newest amount, in whichever order ends come", () => {
    const ends = [
      makeEnd(2, makeState("day", 2_988)),
      makeEnd(1, makeState("day", 2_982)),
      makeEnd(3, makeState("day", 12)),
    ];
    for (const order of [ends, ends.toReversed()]) {
      expect(sumBudgets(order)).toMatchObject([{ spent: 12, sessions: 3, breaches: 3 }]);
    }
  });

  test("of sessions that end together the larger amount is the newest", () => {
    const ends = [makeEnd(1, makeState("day", 5)), makeEnd(1, makeState("day", 7))];
    for (const order of [ends, ends.toReversed()]) expect(sumBudgets(order)[0]?.spent).toBe(7);
  });

  test.each(["session", "call"])("per %s the largest amount counts", (per) => {
    const ends = [makeEnd(1, makeState(per, 97)), makeEnd(2, makeState(per, 31))];
    expect(sumBudgets(ends)).toMatchObject([{ spent: 97, sessions: 2, breaches: 2 }]);
  });

  test("servers have counters of their own, except for a budget of all servers", () => {
    const ends = ["one", "two"].map((server) => ({
      ...makeEnd(1, makeState("day", 5)),
      server,
      budgets: [makeState("day", 5), { ...makeState("day", 9), budget: "all=3000/day" }],
    }));
    expect(sumBudgets(ends).map(({ server, budget }) => [server, budget])).toEqual([
      ["one", "3000/day"],
      [null, "all=3000/day"],
      ["two", "3000/day"],
    ]);
  });

  test("a tool that is called all, written al?, has the counter of its server", () => {
    const named = { ...makeState("day", 5), budget: "al?=3000/day", tool: "all" };
    expect(sumBudgets([makeEnd(1, named)])[0]?.server).toBe("server");
  });

  const anyEnd = fc
    .record({
      second: fc.nat({ max: 3 }),
      server: fc.constantFrom("one", "two"),
      budgets: fc.array(
        fc
          .record({
            per: fc.constantFrom("call", "session", "day", "month"),
            tool: fc.constantFrom(null, "a", "b"),
            spent: fc.nat({ max: 3_000 }),
            breaches: fc.nat({ max: 9 }),
          })
          .map(({ per, spent, ...facts }) => ({ ...makeState(per, spent), ...facts })),
        { maxLength: 6 },
      ),
    })
    .map(({ second, server, budgets }) => ({ ...makeEnd(second, ...budgets), server }));

  test("sums do not depend on the order of ends, and neither sessions nor breaches are lost", () => {
    fc.assert(
      fc.property(fc.array(anyEnd, { maxLength: 12 }), (ends) => {
        const sums = sumBudgets(ends);
        expect(sorted(sumBudgets(ends.toReversed()))).toEqual(sorted(sums));
        const states = ends.flatMap(({ budgets }) => budgets);
        expect(total(sums, "breaches")).toBe(total(states, "breaches"));
        expect(total(sums, "sessions")).toBe(states.length);
      }),
    );
  });
});

test("the summary of one session has no sums", () => {
  const end = makeEnd(1, makeState("day", 5));
  expect(summaryOf([end])).not.toHaveProperty("budget_sums");
  expect(summaryOf([end, { ...end, session_id: "b" }])).toMatchObject({
    budgets: [{ spent: 5 }, { spent: 5 }],
    budget_sums: [{ spent: 5, sessions: 2 }],
  });
});

function makeEnd(second: number, ...budgets: BudgetState[]): EndRecord {
  return endRecord({ ts: `2026-01-01T00:00:0${second}.000Z`, server: "server", budgets });
}

function makeState(per: string, spent: number): BudgetState {
  const budget = `3000/${per}`;
  const unit = "tokens";
  return { budget, tool: null, limit: 3_000, unit, per, action: "error", spent, breaches: 1 };
}

function sorted(sums: readonly BudgetSum[]): BudgetSum[] {
  return sums.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

function total<K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}
