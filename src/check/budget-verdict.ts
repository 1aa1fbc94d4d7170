import type { Budget } from "#meter/budgets/budget.ts";
import { fitsWildcard } from "#kit/text/wildcard.ts";
import type { PlayedCall } from "./played-call.ts";

export type BudgetVerdict = {
  readonly budget: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  readonly spent: number;
  readonly is_breached: boolean;
  readonly is_enforced: boolean;
};

export function judgeBudget(budget: Budget, calls: readonly PlayedCall[]): BudgetVerdict[] {
  const { tool: pattern } = budget;
  if (pattern === null) return [verdictOn(budget, null, calls)];
  const matching = calls.filter(({ tool }) => fitsWildcard(pattern, tool));
  const tools = new Set(matching.map(({ tool }) => tool));
  return [...tools].map((name) => {
    const own = matching.filter(({ tool }) => tool === name);
    return verdictOn(budget, name, own);
  });
}

function verdictOn(
  budget: Budget,
  tool: string | null,
  calls: readonly PlayedCall[],
): BudgetVerdict {
  const spent = spentBy(budget, calls);
  return {
    budget: budget.spec,
    tool,
    limit: budget.limit,
    unit: budget.unit,
    per: budget.per,
    spent,
    is_breached: spent > budget.limit,
    is_enforced: budget.action !== "warn",
  };
}

function spentBy({ unit, per }: Budget, calls: readonly PlayedCall[]): number {
  if (unit === "calls") return calls.length;
  const tokens = calls.map((call) => call.tokens);
  return per === "call" ? Math.max(0, ...tokens) : tokens.reduce((sum, one) => sum + one, 0);
}
