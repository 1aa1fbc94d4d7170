import { UserError } from "#kit/errors.ts";
import { findNearestName, matchesWildcard } from "#kit/text/match-names.ts";
import type { ProfiledTool } from "#lock/recommendations.ts";
import { priceTokens } from "#meter/budgets/accounts.ts";
import { toShownAmount } from "#meter/budgets/counter.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import { type Budget, budgetSentences } from "#meter/budgets/budget.ts";
import type { BudgetState } from "#records/record.ts";

export type AnswersVerdict = Pick<BudgetState, "budget" | "limit" | "unit" | "prices"> & {
  readonly tools: number; // number of tools that the budget limits
  readonly unknown: number; // tools with neither a declared nor a recorded size
  readonly over: readonly LargeAnswer[];
  readonly is_enforced: boolean;
};

type LargeAnswer = {
  readonly tool: string;
  readonly tokens: number | null; // null if the price of a call alone exceeds the budget
  readonly source: "declared" | "recorded" | null;
  readonly cost_usd?: number;
};

/** Compares a budget per call with the largest answer that each tool declares or has given. */
export function judgeAnswers(
  budget: Budget,
  tools: readonly ProfiledTool[],
  prices?: CallPrices,
): AnswersVerdict {
  const { tool: pattern, unit, limit } = budget;
  const callPrices = unit === "dollars" ? prices : undefined;
  const answers = tools
    .filter(({ name }) => pattern === null || matchesWildcard(pattern, name))
    .map(findLargestAnswer)
    .map((answer) => ({ answer, amount: measureAnswer(answer, callPrices) }));
  const over = answers
    .filter(({ amount }) => amount > limit)
    .toSorted((a, b) => b.amount - a.amount)
    .map(({ answer, amount }) => ({
      ...answer,
      ...(callPrices && { cost_usd: toShownAmount(unit, amount) }),
    }));
  return {
    budget: budget.spec,
    limit: toShownAmount(unit, limit),
    unit,
    ...(callPrices && { prices: callPrices.origin }),
    tools: answers.length,
    unknown: answers.filter(({ answer, amount }) => answer.tokens === null && amount <= limit)
      .length,
    over,
    is_enforced: budget.action !== "warn",
  };
}

function findLargestAnswer({ name, worst_case: worstCase, recorded }: ProfiledTool): LargeAnswer {
  const declared = worstCase.is_assumed ? null : worstCase.tokens;
  if (recorded && recorded.max_tokens > (declared ?? -1))
    return { tool: name, tokens: recorded.max_tokens, source: "recorded" };
  return { tool: name, tokens: declared, source: declared === null ? null : "declared" };
}

function measureAnswer({ tool, tokens }: LargeAnswer, prices: CallPrices | undefined): number {
  const size = tokens ?? 0;
  return prices ? priceTokens(size, 0, prices) + prices.findToolPrice(tool) : size;
}

/** Throws UserError for a budget that limits no tool: a check that covers nothing must not pass. */
export function refuseUnmatchedBudgets(budgets: readonly Budget[], tools: readonly string[]): void {
  for (const { tool: pattern, spec } of budgets) {
    if (pattern === null || tools.some((name) => matchesWildcard(pattern, name))) continue;
    const nearest = findNearestName(pattern, tools);
    throw new UserError(budgetSentences.budgetUnmatched(spec, tools.length, nearest));
  }
}
