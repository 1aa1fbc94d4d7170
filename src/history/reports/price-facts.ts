import { CallCosts } from "#records/call-costs.ts";
import type { CostSummary } from "#records/summary.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { inDollars } from "#records/money/turns/turn-prices.ts";
import { addCosts, noCost } from "#records/money/call-cost.ts";
import { dayText } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import { noLoggedPart } from "./imported/logged-part.ts";
import type { UsageFact } from "./usage-fact.ts";

export type PricedFacts = { readonly facts: readonly UsageFact[]; readonly cost: CostSummary };

/** Priced by model and day. The costs of any rows add up to the total. Calls that a log has with its turns cost what they cost there, in all prompts. */
export function priceFacts(facts: readonly UsageFact[], prices: PriceBook): PricedFacts {
  const costs = new CallCosts(prices);
  const priced = facts.map((fact) => {
    const { sums, model, day, method, logged } = fact;
    if (method === listMethod) return fact;
    const own = logged?.priced ?? noLoggedPart.priced;
    const rest = {
      calls: sums.calls - own.calls,
      input_tokens: sums.input_tokens - own.inputTokens,
      output_tokens: sums.output_tokens - own.outputTokens,
    };
    const cost = rest.calls > 0 ? costs.price({ model, ts: dayText(day), ...rest }) : noCost;
    if (own.calls === 0) return { ...fact, cost };
    const dollars = inDollars(own.nanoDollars);
    return { ...fact, cost: addCosts(cost ?? noCost, { low: dollars, high: dollars }) };
  });
  return { facts: priced, cost: costs.summarize() };
}
