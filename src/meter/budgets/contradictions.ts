import { UserError } from "#kit/errors.ts";
import type { ActionRules, Budget } from "./budget.ts";
import { budgetSentences } from "./sentences.ts";

/** Throws UserError when two budgets limit the same counter differently: two limits with one action, or two enforcing actions at one limit. */
export function rejectContradictions(budgets: readonly Budget[], actions: ActionRules): void {
  const seen = new Map<string, Budget>();
  for (const budget of budgets) {
    const counter = JSON.stringify([budget.tool, budget.isOverall, budget.unit, budget.per]);
    const isEnforcing = actions[budget.action]?.isEnforcing === true;
    const keys = [
      `${counter} ${budget.action}`,
      ...(isEnforcing ? [`${counter} ${budget.limit}`] : []),
    ];
    for (const key of keys) {
      const other = seen.get(key) ?? budget;
      if (other.limit !== budget.limit || other.action !== budget.action) {
        throw new UserError(budgetSentences.budgetsContradict(other.spec, budget.spec));
      }
      seen.set(key, budget);
    }
  }
}
