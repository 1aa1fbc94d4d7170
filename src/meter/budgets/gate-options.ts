import type { Action, Keep } from "./decision.ts";
import type { Budget, ActionRules } from "./budget.ts";
import type { CounterStore } from "./counter.ts";

/** Policy for calls when a shared counter is unreachable; the first is the default. */
export const counterFailurePolicies = ["local", "closed", "open"] as const;

/** `local` continues from the last known amounts, `closed` refuses calls, `open` lets them pass. */
export type CounterFailurePolicy = (typeof counterFailurePolicies)[number];

/** Session counters live in memory; minutes and longer are shared by all processes. */
export type CounterStores = { readonly session: CounterStore; readonly shared: CounterStore };

export type GateOptions = {
  readonly budgets: readonly Budget[];
  readonly actions: { readonly [id: string]: Action };
  readonly stores: CounterStores;
  /** Identifies this server among all that share counters; its label by default. */
  readonly counterOwner?: string | undefined;
  readonly warnAtPercent: number;
  readonly repeatsMax: number | undefined;
  readonly isLockEnforced: boolean;
  /** True when every call is refused because a budget may be missing. */
  readonly isClosed?: boolean;
  readonly keep: Keep;
};

export function countsTokens(gate: Pick<GateOptions, "budgets"> | undefined): boolean {
  return gate?.budgets.some(({ unit }) => unit === "tokens") ?? false;
}

/** Option that holds locked budgets next to the user's; both apply. */
export const lockedBudgets = "locked-budgets";

/** A counter's smallest limit wins. A user's budget that rivals a locked one is dropped. */
export function holdLocked(
  locked: readonly Budget[],
  wanted: readonly Budget[],
  actions: ActionRules,
): readonly Budget[] {
  if (locked.length === 0) return wanted;
  const byCounter = new Map<string, Budget>();
  const allowed = wanted.filter(
    (budget) => !locked.some((lockedBudget) => isRival(lockedBudget, budget, actions)),
  );
  for (const budget of [...locked, ...allowed]) {
    const key = JSON.stringify([makeSelectorKey(budget), budget.action]);
    const strictest = byCounter.get(key);
    if (!strictest || budget.limit < strictest.limit) byCounter.set(key, budget);
  }
  return [...byCounter.values()];
}

/** One limit with two enforcing actions would have an unpredictable outcome. */
function isRival(locked: Budget, wanted: Budget, actions: ActionRules): boolean {
  const isEnforcing = (budget: Budget): boolean => actions[budget.action]?.isEnforcing === true;
  return (
    makeSelectorKey(locked) === makeSelectorKey(wanted) &&
    locked.limit === wanted.limit &&
    locked.action !== wanted.action &&
    isEnforcing(locked) &&
    isEnforcing(wanted)
  );
}

function makeSelectorKey({ tool, isOverall, unit, per }: Budget): string {
  return JSON.stringify([tool, isOverall, unit, per]);
}
