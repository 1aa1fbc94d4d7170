export type Unit = "tokens" | "calls" | "dollars";

// Amounts are whole numbers, which counters add up exactly: tokens, calls, or parts of a dollar.
const partsPerDollar = 1e9;

export const maxDollars = Math.floor(Number.MAX_SAFE_INTEGER / partsPerDollar);

export function toShownAmount(unit: Unit, amount: number): number {
  return unit === "dollars" ? amount / partsPerDollar : amount;
}

/** `$5`, `$0.05`. Undefined for any other text. */
export function parseDollars(text: string): number | undefined {
  const [, digits] = /^\$(\d+(?:\.\d{1,9})?)$/.exec(text) ?? [];
  const dollars = Number(digits);
  return digits === undefined || dollars > maxDollars ? undefined : toParts(dollars);
}

export function toParts(dollars: number): number {
  return Math.round(dollars * partsPerDollar);
}

// Dollars for one token and one call, of which a budget in money is charged.
export type CallPrices = {
  readonly origin: string;
  readonly argumentToken: number;
  readonly answerToken: number;
  readonly findToolPrice: (tool: string | null) => number; // of each call that runs
};

export type CallCost = {
  readonly input: number; // tokens of the arguments
  readonly toolPrice: number; // parts of a dollar
};

export const noCost: CallCost = { input: 0, toolPrice: 0 };

type TokenPrices = Pick<CallPrices, "argumentToken" | "answerToken">;

/** Rounded up. `tokens` include the arguments. */
export function priceTokens(
  tokens: number,
  input: number,
  { argumentToken, answerToken }: TokenPrices,
): number {
  const dollars = input * argumentToken + (tokens - input) * answerToken;
  return Math.ceil(Number((dollars * partsPerDollar).toPrecision(15)));
}

/** The largest number of tokens, arguments included, that costs at most `amount`. */
export function findAffordable(amount: number, input: number, prices: TokenPrices): number {
  const rest = amount - priceTokens(input, input, prices);
  if (prices.answerToken === 0) return rest < 0 ? input - 1 : Number.MAX_SAFE_INTEGER;
  const tokens = input + Math.floor(rest / (prices.answerToken * partsPerDollar));
  return priceTokens(tokens, input, prices) > amount ? tokens - 1 : tokens;
}
