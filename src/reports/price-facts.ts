import { CallCosts } from "#records/call-costs.ts";
import type { CostSummary } from "#records/summary.ts";
import type { PriceBook } from "#money/price-book.ts";
import { dayText } from "./calendar.ts";
import { listMethod, type UsageFact } from "./cube.ts";

/** Facts with the cost of their calls, and the calls that have none. */
export type PricedFacts = { readonly facts: readonly UsageFact[]; readonly cost: CostSummary };

/**
 * Prices the calls of each fact by its model and day. The cost of a sum is the sum of the costs, so the costs of any rows
 * add up to the total.
 */
export function priceFacts(facts: readonly UsageFact[], prices: PriceBook): PricedFacts {
  const costs = new CallCosts(prices);
  const priced = facts.map((fact) => {
    const { sums, model, day, method } = fact;
    if (method === listMethod) return fact;
    const { calls, input_tokens, output_tokens } = sums;
    const cost = costs.price({ model, ts: dayText(day), calls, input_tokens, output_tokens });
    return { ...fact, cost };
  });
  return { facts: priced, cost: costs.summarize() };
}
