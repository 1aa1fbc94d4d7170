import { formatCount, pluralize } from "#kit/text/numbers.ts";
import type { CountSource } from "#tokens/cost/definitions-cost.ts";

export type TokenFormat = {
  readonly count: (tokens: number) => string;
  readonly tokens: (tokens: number) => string;
  /** One number, or a range if `mostTokens` is more than twice `tokens`. */
  readonly range: (tokens: number, mostTokens?: number) => string;
};

export function needsRange(tokens: number, mostTokens = 0): boolean {
  return mostTokens > 2 * tokens;
}

export function makeTokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${pluralize(tokens, "token")}`,
    range: (tokens, mostTokens = 0) =>
      `${mark}${formatCount(tokens)}${needsRange(tokens, mostTokens) ? `…${formatCount(mostTokens)}` : ""}`,
  };
}

// A count by the model's maker is shown without `~`.
export function pickDefinitionFormat(
  { counted_by: source }: { readonly counted_by?: CountSource },
  format: TokenFormat,
): TokenFormat {
  return source ? makeTokenFormat(false) : format;
}
