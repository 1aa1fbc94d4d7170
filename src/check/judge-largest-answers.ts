import { UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { ProfiledTool } from "#lock/recommendations.ts";
import { limitsTool, priceTokens } from "#meter/budgets/accounts.ts";
import { toShownAmount } from "#meter/budgets/counter.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import { type Budget, budgetSentences } from "#meter/budgets/budget.ts";
import type { BudgetState } from "#records/record.ts";

export type LargestAnswersVerdict = Pick<BudgetState, "budget" | "limit" | "unit" | "prices"> & {
  // How many tools the budget limits.
  readonly tools: number;
  // How many of these tools have answers of unknown size and are not in `over`.
  readonly unknown: number;
  readonly over: readonly LargestAnswer[];
  readonly is_enforced: boolean;
};

type LargestAnswer = {
  readonly tool: string;
  // Null if no size is known. Then only the tool's price per call can exceed the limit.
  readonly tokens: number | null;
  readonly source: "declared" | "recorded" | null;
  readonly cost_usd?: number;
};

/** Compares a budget per call with the largest answer that each tool declares or has given. */
export function judgeLargestAnswers(
  budget: Budget,
  tools: readonly ProfiledTool[],
  prices?: CallPrices,
): LargestAnswersVerdict {
  const { unit, limit } = budget;
  const callPrices = unit === "dollars" ? prices : undefined;
  const answers = tools
    .filter(({ name }) => limitsTool(budget, name))
    .map(findLargestAnswer)
    .map((answer) => ({ answer, amount: computeAmount(answer, callPrices) }));
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

function findLargestAnswer({ name, worst_case: worstCase, recorded }: ProfiledTool): LargestAnswer {
  const declared = worstCase.is_assumed ? null : worstCase.tokens;
  if (recorded && recorded.max_tokens > (declared ?? -1))
    return { tool: name, tokens: recorded.max_tokens, source: "recorded" };
  return { tool: name, tokens: declared, source: declared === null ? null : "declared" };
}

function computeAmount(answer: LargestAnswer, prices: CallPrices | undefined): number {
  const tokens = answer.tokens ?? 0;
  if (!prices) return tokens;
  return priceTokens({ tokens, inputTokens: 0 }, prices) + prices.findToolPrice(answer.tool);
}

/** Throws UserError for a budget whose pattern matches no tool: a check that covers nothing must not pass. */
export function rejectUnmatchedBudgets(budgets: readonly Budget[], tools: readonly string[]): void {
  for (const budget of budgets) {
    const { tool: pattern, spec } = budget;
    if (pattern === null || tools.some((name) => limitsTool(budget, name))) continue;
    const nearest = findNearestName(pattern, tools);
    throw new UserError(budgetSentences.budgetUnmatched(spec, tools.length, nearest));
  }
}
