import {
  addCosts,
  noCost,
  priceCall,
  priceRewrite,
  type CostRange,
  type PriceBook,
} from "./money/price-book.ts";
import type { CallRecord } from "./record.ts";
import type { AssumedModel, CostSummary, UnpricedCalls } from "./summary.ts";

export const unpricedModelsMax = 20;

const assumedClientsMax = 20;

type PricedCalls = {
  readonly model: string | null;
  readonly ts: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export class CallCosts {
  readonly #prices: PriceBook;
  // By the model's name, which is empty for an unknown model.
  readonly #unpricedCalls = new Map<string, number>();
  readonly #assumedModels = new Map<string, AssumedModel>();

  constructor(prices: PriceBook) {
    this.#prices = prices;
  }

  price({ model, ts, calls, input_tokens, output_tokens }: PricedCalls): CostRange | null {
    const prices = model === null ? undefined : this.#prices.find(model, ts);
    if (prices)
      return priceCall({ argumentTokens: input_tokens, answerTokens: output_tokens }, prices);
    this.#countUnpriced(model ?? "", calls);
    return null;
  }

  priceRewrite(tokens: number, model: string | null, ts: string): number | null {
    const prices = model === null ? undefined : this.#prices.find(model, ts);
    return prices ? priceRewrite(tokens, prices) : null;
  }

  // Adds the price of a paid tool for each call that ran, even if the model has no price.
  addToolPrice(
    cost: CostRange | null,
    { method, tool }: Pick<CallRecord, "method" | "tool">,
    callsRun: number,
  ): CostRange | null {
    const price = method === "tools/call" ? this.#prices.findToolPrice(tool) : 0;
    const dollars = price * callsRun;
    return dollars === 0 ? cost : addCosts(cost ?? noCost, { low: dollars, high: dollars });
  }

  // For calls of an unknown model: `model` is the default model of their client.
  priceByDefault(client: string, { model, ...call }: PricedCalls): CostRange | null {
    const hasRoom = this.#assumedModels.size < assumedClientsMax || this.#assumedModels.has(client);
    if (model !== null && hasRoom) {
      const calls = call.calls + (this.#assumedModels.get(client)?.calls ?? 0);
      this.#assumedModels.set(client, { client, model, calls, is_default: true });
    }
    return this.price({ ...call, model });
  }

  summarize(): CostSummary {
    const assumed = [...this.#assumedModels.values()].toSorted(
      (a, b) => b.calls - a.calls || ((a.client ?? "") < (b.client ?? "") ? -1 : 1),
    );
    const sums = { prices: this.#prices.origin, unpriced: listUnpriced(this.#unpricedCalls) };
    return assumed.length > 0 ? { ...sums, assumed } : sums;
  }

  #countUnpriced(model: string, calls: number): void {
    const hasRoom = this.#unpricedCalls.size < unpricedModelsMax || this.#unpricedCalls.has(model);
    const name = hasRoom ? model : otherModelsLabel;
    this.#unpricedCalls.set(name, (this.#unpricedCalls.get(name) ?? 0) + calls);
  }
}

const otherModelsLabel = "(other)";

function listUnpriced(calls: ReadonlyMap<string, number>): UnpricedCalls[] {
  return [...calls].toSorted(compareUnpriced).map(([model, count]) => ({
    model: model === "" ? null : model,
    calls: count,
  }));
}

// Sorts by calls, then by name, so that the order of records does not decide ties. "(other)" is last.
function compareUnpriced([a, aCalls]: [string, number], [b, bCalls]: [string, number]): number {
  if (a === otherModelsLabel || b === otherModelsLabel) return a === otherModelsLabel ? 1 : -1;
  return bCalls - aCalls || (a < b ? -1 : 1);
}
