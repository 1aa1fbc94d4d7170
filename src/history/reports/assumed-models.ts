import { CallCosts } from "#records/call-costs.ts";
import { addCosts, noCost, type PriceBook } from "#records/money/price-book.ts";
import { toDollars } from "#records/money/turns/turn.ts";
import type { AssumedModel, CostSummary } from "#records/summary.ts";
import { findDefaultModel } from "#tokens/cost/client-models.ts";
import { formatDay } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import { noLoggedTotals } from "./imported/logged-totals.ts";
import { sumContextTokens } from "./usage-sums.ts";
import type { UsageFact } from "./usage-cube.ts";

type ModelTokens = Map<string, number>;

/**
 * The wire rarely names a model, but logs of clients do. A call without a model is priced by the first known of three
 * models: the client's most used model on the day of the call, the model that the user names, and the client's default.
 * Other days do not matter, so that a call has the same price in reports of any period.
 */
export class AssumedModels {
  readonly #byDay = new Map<string, ModelTokens>();
  readonly #namedModel: string | undefined;

  constructor(facts: readonly UsageFact[], namedModel: string | undefined) {
    this.#namedModel = namedModel;
    for (const { session, day, model, sums } of facts) {
      if (model === null) continue;
      const key = makeKey(session.client, day);
      addTokens(this.#byDay, key, { model, tokens: sumContextTokens(sums) });
    }
  }

  find(fact: UsageFact): string | null {
    return (
      fact.model ??
      this.#findUsedOrNamed(fact) ??
      findDefaultModel(fact.session.client ?? "") ??
      null
    );
  }

  #findUsedOrNamed({ session: { client }, day }: UsageFact): string | undefined {
    return pickLargest(this.#byDay.get(makeKey(client, day))) ?? this.#namedModel;
  }

  list(facts: readonly UsageFact[]): readonly AssumedModel[] {
    const assumed = new Map<string, AssumedModel>();
    for (const fact of facts) {
      const { client } = fact.session;
      const model = fact.model === null ? this.find(fact) : null;
      const calls = countUnpricedCalls(fact);
      if (model === null || calls === 0) continue;
      const isDefault = this.#findUsedOrNamed(fact) === undefined;
      const key = JSON.stringify([client, model, isDefault]);
      const sum = calls + (assumed.get(key)?.calls ?? 0);
      assumed.set(key, { client, model, calls: sum, is_default: isDefault });
    }
    return [...assumed.values()].toSorted(
      (a, b) => b.calls - a.calls || ((a.client ?? "") < (b.client ?? "") ? -1 : 1),
    );
  }
}

/** Calls whose price is in no log. */
export function countUnpricedCalls({ method, sums, logged }: UsageFact): number {
  return method === listMethod ? 0 : sums.calls - (logged?.priced.calls ?? 0);
}

function makeKey(client: string | null, day: number): string {
  return JSON.stringify([client, day]);
}

function addTokens(
  groups: Map<string, ModelTokens>,
  key: string,
  { model, tokens }: { readonly model: string; readonly tokens: number },
): void {
  const group = groups.getOrInsertComputed(key, () => new Map<string, number>());
  group.set(model, (group.get(model) ?? 0) + tokens);
}

// Ties are sorted by name, so that the order of files does not matter.
function pickLargest(tokens: ModelTokens | undefined): string | undefined {
  const sorted = [...(tokens ?? [])].toSorted(
    ([a, aTokens], [b, bTokens]) => bTokens - aTokens || (a < b ? -1 : 1),
  );
  return sorted[0]?.[0];
}

type PricedFacts = { readonly facts: readonly UsageFact[]; readonly cost: CostSummary };

// Prices each fact once, so that the rows of any table add up to the total.
export function priceFacts(
  facts: readonly UsageFact[],
  prices: PriceBook,
  models: AssumedModels,
): PricedFacts {
  const costs = new CallCosts(prices);
  const priced = facts.map((fact) => {
    const { sums, day, method, logged } = fact;
    if (method === listMethod) return fact;
    const pricedInLogs = logged?.priced ?? noLoggedTotals.priced;
    const unpriced = {
      calls: sums.calls - pricedInLogs.calls,
      input_tokens: sums.input_tokens - pricedInLogs.inputTokens,
      output_tokens: sums.output_tokens - pricedInLogs.outputTokens,
    };
    const [model, ts] = [models.find(fact), formatDay(day)];
    const tokenCost = unpriced.calls > 0 ? costs.price({ model, ts, ...unpriced }) : noCost;
    const cost = costs.addToolPrice(tokenCost, fact, sums.calls - sums.refused + sums.withheld);
    const rewriteUsd =
      sums.list_changes > 0 ? costs.priceRewrite(sums.rewritten_tokens, model, ts) : undefined;
    if (pricedInLogs.calls === 0) return { ...fact, cost, rewriteUsd };
    const dollars = toDollars(pricedInLogs.nanoDollars);
    return { ...fact, cost: addCosts(cost ?? noCost, { low: dollars, high: dollars }), rewriteUsd };
  });
  return { facts: priced, cost: costs.summarize() };
}
