import type { Action, SaveAnswer } from "./decision.ts";
import { type Budget, type ActionRules, makeSelectorKey } from "./budget.ts";
import type { CounterStore } from "./counter.ts";

/** Policies for the time in which a shared counter is unreachable. The first is the default. */
export const counterFailurePolicies = ["local", "closed", "open"] as const;

/** `local` continues from the last known amounts, `closed` refuses calls, `open` lets them pass. */
export type CounterFailurePolicy = (typeof counterFailurePolicies)[number];

/** Counters per session live in memory; counters per minute, hour and longer are shared by all processes. */
export type CounterStores = { readonly session: CounterStore; readonly shared: CounterStore };

// For budgets in money.
export type CallPrices = {
  readonly origin: string;
  readonly argumentToken: number; // in dollars per token
  readonly answerToken: number; // in dollars per token
  readonly findToolPrice: (tool: string | null) => number; // in nanodollars per call
};

// A budget per user has a counter for each name. Login names are recorded only with `--user login`.
export type BudgetUser = { readonly name: string; readonly isRecorded: boolean };

export type GateOptions = {
  readonly budgets: readonly Budget[];
  readonly actions: { readonly [id: string]: Action };
  readonly stores: CounterStores;
  readonly counterOwner?: string | undefined; // replaces the server's label in counter keys
  readonly user?: BudgetUser | undefined;
  readonly callPrices?: CallPrices | undefined; // present if a budget is in money
  readonly warnAtPercent: number;
  readonly repeatsMax: number | undefined;
  readonly notesRepeats?: boolean; // a note replaces an answer that the model has already read
  readonly isLockEnforced: boolean;
  readonly isHidden?: ((tool: string | null) => boolean) | undefined; // present if tools are hidden
  readonly isClosed?: boolean; // every call is refused, because a budget may be missing
  readonly saveAnswer: SaveAnswer;
};

export function countsTokens(gate: Pick<GateOptions, "budgets"> | undefined): boolean {
  return gate?.budgets.some(({ unit }) => unit !== "calls") ?? false;
}

/** The option with the locked budgets of the system config. They apply together with the user's budgets. */
export const lockedBudgetsOption = "locked-budgets";

/** Of budgets that differ only in the limit, keeps the lowest. Drops user budgets that contradict locked ones. */
export function mergeLockedBudgets(
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

// Rivals contradict each other: only their actions differ, and both actions enforce the limit.
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
