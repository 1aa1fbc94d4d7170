import { formatCount, pluralize } from "#kit/text/numbers.ts";

export type TokenFormat = {
  readonly count: (tokens: number) => string;
  readonly tokens: (tokens: number) => string;
  /** Shows both ends of the range if an unknown client might show more than twice as much. */
  readonly range: (tokens: number, mostTokens?: number) => string;
};

export function isRange(tokens: number, mostTokens = 0): boolean {
  return mostTokens > 2 * tokens;
}

export function makeTokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${pluralize(tokens, "token")}`,
    range: (tokens, mostTokens = 0) =>
      `${mark}${formatCount(tokens)}${isRange(tokens, mostTokens) ? `…${formatCount(mostTokens)}` : ""}`,
  };
}
