import type { Action, Keep } from "./decision.ts";
import type { Budget, ActionRules } from "./budget.ts";
import type { CounterStore } from "./counter.ts";

/** The fate of calls under a shared counter that cannot be reached, the default first. */
export const counterFailurePolicies = ["local", "closed", "open"] as const;

/** `local` counts on from the last known amounts, `closed` refuses the calls, `open` lets them pass. */
export type CounterFailurePolicy = (typeof counterFailurePolicies)[number];

/** Where counters are kept: a session's in memory, those of minutes and longer shared by all meters. */
export type CounterStores = { readonly session: CounterStore; readonly shared: CounterStore };

export type GateOptions = {
  readonly budgets: readonly Budget[];
  readonly actions: { readonly [id: string]: Action };
  readonly stores: CounterStores;
  /** Identifies this server among all that share counters; its label by default. */
  readonly counterOwner?: string | undefined;
  /** Share of a limit in percent that is worth an alert, where the budget has none of its own. */
  readonly warnAtPercent: number;
  readonly repeatsMax: number | undefined;
  readonly isLockEnforced: boolean;
  /** True when every call is refused, because a limit may be missing. */
  readonly isClosed?: boolean;
  readonly keep: Keep;
};

export function countsTokens(gate: Pick<GateOptions, "budgets"> | undefined): boolean {
  return gate?.budgets.some(({ unit }) => unit === "tokens") ?? false;
}

/** The name under which options have locked budgets next to those of the user: both hold. */
export const lockedBudgets = "locked-budgets";

/**
 * The budgets of a session in which some are locked. All hold, each with a counter of its own. Of several for one counter (the same
 * tools, unit, period and action) the least limit holds; one of the user with the limit of a locked one and another
 * enforcing action is left out.
 */
export function holdLocked(
  locked: readonly Budget[],
  wanted: readonly Budget[],
  actions: ActionRules,
): readonly Budget[] {
  if (locked.length === 0) return wanted;
  const byCounter = new Map<string, Budget>();
  const allowed = wanted.filter((budget) => !locked.some((rule) => isRival(rule, budget, actions)));
  for (const budget of [...locked, ...allowed]) {
    const key = JSON.stringify([selectorKey(budget), budget.action]);
    const strictest = byCounter.get(key);
    if (!strictest || budget.limit < strictest.limit) byCounter.set(key, budget);
  }
  return [...byCounter.values()];
}

/** True when a budget enforces the same limit by another action, so that it would not be certain which one acts. */
function isRival(locked: Budget, wanted: Budget, actions: ActionRules): boolean {
  const isEnforcing = (budget: Budget): boolean => actions[budget.action]?.isEnforcing === true;
  return (
    selectorKey(locked) === selectorKey(wanted) &&
    locked.limit === wanted.limit &&
    locked.action !== wanted.action &&
    isEnforcing(locked) &&
    isEnforcing(wanted)
  );
}

function selectorKey({ tool, isOverall, unit, per }: Budget): string {
  return JSON.stringify([tool, isOverall, unit, per]);
}
