import { formatCount, formatShare, plural } from "#text/numbers.ts";

/** Puts token counts into words; estimates begin with `~`. */
export type TokenFormat = {
  /** `~1,200`, for a cell under a head such as `tokens`. */
  readonly count: (tokens: number) => string;
  /** `~1,200 tokens`. */
  readonly tokens: (tokens: number) => string;
};

export function tokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${plural(tokens, "token")}`,
  };
}

/** A share of 0…1 with its window: `6.2% of a 200,000-token window`. */
export function windowShare(share: number, windowTokens: number): string {
  return `${formatShare(share)} of a ${formatCount(windowTokens)}-token window`;
}
