import { isObject } from "#wire/json.ts";
import { SessionContext } from "./definition-summary.ts";
import {
  addCosts,
  type CostRange,
  noCost,
  priceCall,
  type PriceBook,
  type TokenPrices,
} from "./money/price-book.ts";
import type { CallRecord, DefinitionsRecord, SessionRecord } from "./record.ts";
import { isWithheld } from "./tool-rows.ts";

export const statusServersMax = 1_000;

// Limits the pairs of model and day for which tokens are priced. A model's price may change from day to day.
export const statusPricesMax = 1_000;

type StatusOptions = {
  readonly model: string | undefined; // for calls whose records name none
  readonly since: string; // earlier calls do not count
  readonly findToolPrice: PriceBook["findToolPrice"];
};

export type StatusSums = {
  readonly servers: readonly { readonly name: string; readonly tokens: number }[];
  readonly calls: number;
  readonly refused: number;
  readonly isEstimated: boolean;
};

type TokensToPrice = {
  readonly model: string;
  readonly ts: string;
  argumentTokens: number;
  answerTokens: number;
};

type FindPrices = (model: string, ts: string) => TokenPrices | undefined;

export class StatusFold {
  readonly #options: StatusOptions;
  readonly #modelBySession = new Map<string, string>();
  readonly #contexts = new Map<string, SessionContext>();
  readonly #tokensToPrice = new Map<string, TokensToPrice>();
  #calls = 0;
  #refused = 0;
  #isEstimated = false;
  #toolDollars = 0;

  constructor(options: StatusOptions) {
    this.#options = options;
  }

  add(value: unknown): void {
    if (!isCounted(value)) return;
    if (value.type === "session") {
      this.#isEstimated ||= value.is_estimated;
      if (value.model !== null) this.#modelBySession.set(value.session_id, value.model);
      return;
    }
    if (value.type === "call" && value.ts < this.#options.since) return;
    this.#findOrAddContext(value.server)?.add(value);
    if (value.type === "call") this.#addCall(value);
  }

  summarize(): StatusSums {
    return {
      servers: [...this.#contexts].map(([name, { tokens }]) => ({ name, tokens })),
      calls: this.#calls,
      refused: this.#refused,
      isEstimated: this.#isEstimated,
    };
  }

  price(findPrices: FindPrices): CostRange | null {
    const costs = [...this.#tokensToPrice.values()].flatMap((tokens) => {
      const prices = findPrices(tokens.model, tokens.ts);
      return prices ? priceCall(tokens, prices) : [];
    });
    const dollars = this.#toolDollars;
    if (dollars > 0) costs.push({ low: dollars, high: dollars });
    return costs.length === 0 ? null : costs.reduce(addCosts, noCost);
  }

  #findOrAddContext(server: string): SessionContext | undefined {
    const known = this.#contexts.get(server);
    if (known || this.#contexts.size >= statusServersMax) return known;
    const context = new SessionContext();
    this.#contexts.set(server, context);
    return context;
  }

  #addCall(call: CallRecord): void {
    const { outcome, method, tool, ts } = call;
    this.#calls += 1;
    if (outcome === "refused") this.#refused += 1;
    const didRun = outcome !== "refused" || isWithheld(call);
    if (method === "tools/call" && didRun) this.#toolDollars += this.#options.findToolPrice(tool);
    const model = call.model ?? this.#modelBySession.get(call.session_id) ?? this.#options.model;
    if (model === undefined) return;
    const key = `${ts.slice(0, "2026-11-22".length)} ${model}`;
    const known = this.#tokensToPrice.get(key);
    if (known) {
      known.argumentTokens += call.input_tokens;
      known.answerTokens += call.output_tokens;
    } else if (this.#tokensToPrice.size < statusPricesMax) {
      const tokens = { argumentTokens: call.input_tokens, answerTokens: call.output_tokens };
      this.#tokensToPrice.set(key, { model, ts, ...tokens });
    }
  }
}

// Checks only a few members: validating whole records would take longer than everything else.
function isCounted(value: unknown): value is SessionRecord | DefinitionsRecord | CallRecord {
  if (!isObject(value) || typeof value["server"] !== "string") return false;
  const {
    type,
    ts,
    tools,
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
  } = value;
  if (type === "session") return typeof value["session_id"] === "string";
  if (typeof total !== "number") return false;
  if (type !== "call") return type === "definitions" && Array.isArray(tools);
  return typeof ts === "string" && typeof input === "number" && typeof output === "number";
}
