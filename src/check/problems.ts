import type { Drift } from "#lock/drift.ts";
import type { LimitExcess } from "#lock/lock-limits.ts";
import type { BudgetVerdict } from "./budget-verdict.ts";
import type { CallProblem, PlayedCall } from "./played-call.ts";

/** A drift in one sentence: its severity, and its values in brackets. */
export function describeDrift(drift: Drift): string {
  const values = describeValues(drift);
  return `${drift.severity}: ${drift.what}${values === undefined ? "" : ` (${values})`}`;
}

function describeValues({ before, after }: Drift): string | undefined {
  if (before === null) return after ?? undefined;
  return after === null ? `was ${before}` : `${before} → ${after}`;
}

/** A limit on definitions that is exceeded, in one sentence. */
export function describeExcess({ tokens, allowed }: LimitExcess): string {
  return `the definitions take ${tokens} tokens; the limit is ${allowed}`;
}

/** A problem of one call in one sentence, with its numbers. */
export function describeCallProblem(problem: CallProblem, call: PlayedCall): string {
  const { tokens, limit, recorded_tokens: recorded, allowed_tokens: allowed, error } = call;
  switch (problem) {
    case "over_budget":
      return `it takes ${tokens} tokens; its budget is ${limit ?? 0}`;
    case "grew":
      return `it takes ${tokens} tokens; the lock recorded ${recorded ?? 0} and allows ${allowed ?? 0}`;
    case "unexpected_error":
      return `it failed${error === null ? "" : ` with "${error}"`}, but should succeed`;
    case "error_missing":
      return "it succeeded, but should fail";
    case "not_metered":
      return "the meter did not record it";
  }
}

/** A budget's verdict in one sentence. */
export function describeBudget({ budget, spent, unit, per, limit }: BudgetVerdict): string {
  const by = per === "call" ? "its most expensive call takes" : "all calls together take";
  return `budget ${budget}: ${by} ${spent} ${unit}; the limit is ${limit}`;
}
