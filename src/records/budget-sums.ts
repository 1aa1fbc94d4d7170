import type { BudgetState, EndRecord } from "./record.ts";
import type { BudgetSum } from "./summary.ts";

export function sumBudgets(ends: readonly EndRecord[]): BudgetSum[] {
  const sums = new Map<string, DatedSum>();
  for (const { server, ts, budgets } of ends) {
    for (const state of budgets) {
      const added = { ...state, server: isOverall(state) ? null : server, sessions: 1 };
      const key = keyOf(added);
      const known = sums.get(key);
      sums.set(key, known ? joined(known, { ts, sum: added }) : { ts, sum: added });
    }
  }
  return [...sums.values()].map(({ sum }) => sum);
}

type DatedSum = { readonly ts: string; readonly sum: BudgetSum };

/** Breaches add up. A counter that outlives sessions has one amount, its newest; of the others, the largest counts. */
function joined(one: DatedSum, other: DatedSum): DatedSum {
  const { ts, sum } = isKept(one, other) ? one : other;
  return {
    ts,
    sum: {
      ...sum,
      sessions: one.sum.sessions + other.sum.sessions,
      breaches: one.sum.breaches + other.sum.breaches,
    },
  };
}

/** Of ends at the same time the larger amount is newer: sessions that end together charge one counter to the last. */
function isKept(one: DatedSum, other: DatedSum): boolean {
  const outlivesSessions = one.sum.per !== "call" && one.sum.per !== "session";
  return outlivesSessions && one.ts !== other.ts
    ? one.ts > other.ts
    : one.sum.spent >= other.sum.spent;
}

/** `all=LIMIT/PER`; a tool of this name is written `al?`. */
function isOverall({ budget }: BudgetState): boolean {
  return budget.startsWith("all=");
}

function keyOf({ server, budget, tool, limit, unit, per, action }: BudgetSum): string {
  return JSON.stringify([server, budget, tool, limit, unit, per, action]);
}
