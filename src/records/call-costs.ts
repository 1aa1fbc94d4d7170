import { unpricedModelsMax } from "#limits.ts";
import { callCost, type CostRange } from "#money/call-cost.ts";
import type { PriceBook } from "#money/price-book.ts";
import type { CallRecord } from "./record.ts";
import type { CostSummary, UnpricedCalls } from "./summary.ts";

/** Prices calls by the model that made them, and counts the calls without a price. */
export class CallCosts {
  readonly #prices: PriceBook;
  /** Calls without a price by model; the empty name stands for calls whose model is not known. */
  readonly #unpriced = new Map<string, number>();

  constructor(prices: PriceBook) {
    this.#prices = prices;
  }

  /** The cost of a call; null without a price. `sessionModel` is the model of a call that names none. */
  price(call: CallRecord, sessionModel: string | null): CostRange | null {
    const model = call.model ?? sessionModel;
    const prices = model === null ? undefined : this.#prices.find(model, call.ts);
    if (prices) {
      return callCost(
        { argumentTokens: call.input_tokens, answerTokens: call.output_tokens },
        prices,
      );
    }
    this.#count(model ?? "");
    return null;
  }

  summarize(): CostSummary {
    const unpriced = [...this.#unpriced].map(([model, calls]): UnpricedCalls => ({
      model: model === "" ? null : model,
      calls,
    }));
    return { prices: this.#prices.origin, unpriced };
  }

  #count(model: string): void {
    const hasRoom = this.#unpriced.size < unpricedModelsMax || this.#unpriced.has(model);
    const name = hasRoom ? model : others;
    this.#unpriced.set(name, (this.#unpriced.get(name) ?? 0) + 1);
  }
}

const others = "(other)";
