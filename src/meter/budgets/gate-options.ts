import type { Action, Keep } from "./action.ts";
import type { Budget } from "./budget.ts";
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
