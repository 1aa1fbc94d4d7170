import { setBounded } from "#kit/limits.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";

export const pricedModelsMax = 10_000;

const pricedToolsMax = 10_000;

export type PriceSource = (model: string, date: Date) => TokenPrices | undefined;

type PatternPrices = { readonly pattern: string; readonly prices: TokenPrices };

export function matchPrices(patterns: readonly PatternPrices[]): PriceSource {
  return (model) => patterns.find(({ pattern }) => matchesWildcard(pattern, model))?.prices;
}

// Dollars per call of a tool whose server or service charges for calls.
type ToolPrice = { readonly pattern: string; readonly dollars: number };

export type NamedPrices = { readonly models: PriceSource; readonly tools: readonly ToolPrice[] };

// Remembers prices, because looking them up takes as long as reading ten records.
export class PriceBook {
  readonly origin: string;
  readonly #sources: readonly PriceSource[];
  readonly #tools: readonly ToolPrice[];
  readonly #knownPrices = new Map<string, TokenPrices | undefined>();
  readonly #knownToolPrices = new Map<string, number>();

  constructor(origin: string, sources: readonly PriceSource[], tools: readonly ToolPrice[] = []) {
    this.origin = origin;
    this.#sources = sources;
    this.#tools = tools;
  }

  findToolPrice(tool: string | null): number {
    if (tool === null || this.#tools.length === 0) return 0;
    const known = this.#knownToolPrices.get(tool);
    if (known !== undefined) return known;
    const found = this.#tools.find(({ pattern }) => matchesWildcard(pattern, tool));
    setBounded(this.#knownToolPrices, tool, found?.dollars ?? 0, pricedToolsMax);
    return found?.dollars ?? 0;
  }

  // True only if one price covers every tool that `pattern` matches. `pattern` is compared as if it were the name of a
  // tool. That would be wrong for a price pattern with `?`: if `pattern` is `a*`, the price pattern `a?` matches the
  // two characters `a*`, but not every tool whose name begins with `a`. So a price pattern with `?` must be identical.
  hasToolPrices(pattern: string): boolean {
    return this.#tools.some(
      (tool) =>
        tool.pattern === pattern ||
        (!tool.pattern.includes("?") && matchesWildcard(tool.pattern, pattern)),
    );
  }

  find(model: string, ts: string): TokenPrices | undefined {
    const day = ts.slice(0, "2026-11-22".length);
    const key = `${day} ${model}`;
    if (this.#knownPrices.has(key)) return this.#knownPrices.get(key);
    const prices = this.#search(model, new Date(`${day}T00:00:00Z`));
    setBounded(this.#knownPrices, key, prices, pricedModelsMax);
    return prices;
  }

  #search(model: string, date: Date): TokenPrices | undefined {
    for (const source of this.#sources) {
      const prices = source(model, date);
      if (prices) return prices;
    }
    return undefined;
  }
}

// Dollars per million tokens.
export type TokenPrices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
};

type StatedPrices = Pick<TokenPrices, "input" | "output"> & {
  readonly [cache in "cacheRead" | "cacheWrite5m" | "cacheWrite1h"]?: number | undefined;
};

export function completePrices(stated: StatedPrices): TokenPrices {
  const { input, output, cacheRead = input, cacheWrite5m = input } = stated;
  return {
    input,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: stated.cacheWrite1h ?? cacheWrite5m,
  };
}

// As written in a file of prices; see prices.schema.json.
export type RawPrices = {
  readonly in: number;
  readonly out: number;
  readonly read?: number;
  readonly write5m?: number;
  readonly write1h?: number;
};

export type RawPriceFile = {
  readonly tools?: { readonly [pattern: string]: number };
  readonly [model: string]: RawPrices | { readonly [pattern: string]: number } | undefined;
};

export type CostRange = { readonly low: number; readonly high: number };

type TokensByDirection = {
  readonly argumentTokens: number;
  readonly answerTokens: number;
};

const tokensPerPrice = 1e6;

// Budgets count the upper end of the cost range that reports show.
export function computeHighestPrices(prices: TokenPrices | undefined) {
  if (!prices) return { argumentToken: 0, answerToken: 0 };
  const { input, output, cacheWrite5m, cacheWrite1h } = prices;
  return {
    argumentToken: output / tokensPerPrice,
    answerToken: Math.max(input, cacheWrite5m, cacheWrite1h) / tokensPerPrice,
  };
}

// Prices the arguments as output, and the answer as input of the first request that contains the answer. Returns a
// range, because records do not show whether that request wrote the answer to a cache.
export function priceCall(
  { argumentTokens, answerTokens }: TokensByDirection,
  { input, output, cacheWrite5m, cacheWrite1h }: TokenPrices,
): CostRange {
  const argumentsCost = argumentTokens * output;
  const lowest = Math.min(input, cacheWrite5m, cacheWrite1h);
  const highest = Math.max(input, cacheWrite5m, cacheWrite1h);
  return {
    low: (argumentsCost + answerTokens * lowest) / tokensPerPrice,
    high: (argumentsCost + answerTokens * highest) / tokensPerPrice,
  };
}

// The extra dollars for writing tokens to a five-minute cache instead of reading them from it.
export function priceRewrite(
  tokens: number,
  { cacheRead, cacheWrite5m }: Pick<TokenPrices, "cacheRead" | "cacheWrite5m">,
): number {
  return addExactly(0, (tokens * Math.max(0, cacheWrite5m - cacheRead)) / tokensPerPrice);
}

// `dollars` is null if the model has no price, and undefined if the report has no prices.
export function addRewriteDollars(
  known: number | null | undefined,
  dollars: number | null | undefined,
): { readonly rewrite_usd?: number | null } {
  if (dollars === undefined) return known === undefined ? {} : { rewrite_usd: known };
  return { rewrite_usd: dollars === null ? (known ?? null) : addExactly(known ?? 0, dollars) };
}

// Exact for sums below two thousand dollars at listed prices, so that the order of calls does not matter.
export function addCosts(a: CostRange, b: CostRange): CostRange {
  return { low: addExactly(a.low, b.low), high: addExactly(a.high, b.high) };
}

// Listed prices per million tokens have at most six decimal places, so a cost is a whole multiple of 1e-12 dollars.
const partsPerDollar = 1e12;

function addExactly(a: number, b: number): number {
  return Math.round((a + b) * partsPerDollar) / partsPerDollar;
}

export const noCost: CostRange = { low: 0, high: 0 };
