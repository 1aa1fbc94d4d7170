import type { ActionRules, Budget } from "./budget.ts";

/** The name under which options have locked budgets next to those of the user: both hold. */
export const lockedBudgets = "locked-budgets";

/**
 * The budgets of a session in which some are locked. All hold, each with a counter of its own. Of several for one counter (the same
 * tools, unit, period and action) the least limit holds; one of the user with the limit of a locked one and another
 * enforcing action is left out.
 */
export function holdLocked(
  locked: readonly Budget[],
  own: readonly Budget[],
  actions: ActionRules,
): readonly Budget[] {
  if (locked.length === 0) return own;
  const byCounter = new Map<string, Budget>();
  const wanted = own.filter((budget) => !locked.some((one) => isRival(one, budget, actions)));
  for (const budget of [...locked, ...wanted]) {
    const key = JSON.stringify([selectorOf(budget), budget.action]);
    const other = byCounter.get(key);
    if (!other || budget.limit < other.limit) byCounter.set(key, budget);
  }
  return [...byCounter.values()];
}

/** True when a budget enforces the same limit by another action, so that it would not be certain which one acts. */
function isRival(locked: Budget, own: Budget, actions: ActionRules): boolean {
  const isEnforcing = (budget: Budget): boolean => actions[budget.action]?.isEnforcing === true;
  return (
    selectorOf(locked) === selectorOf(own) &&
    locked.limit === own.limit &&
    locked.action !== own.action &&
    isEnforcing(locked) &&
    isEnforcing(own)
  );
}

function selectorOf({ tool, isOverall, unit, per }: Budget): string {
  return JSON.stringify([tool, isOverall, unit, per]);
}
