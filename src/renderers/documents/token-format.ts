import { formatCount, formatShare, plural } from "#text/numbers.ts";

/** Estimates begin with `~`. */
export type TokenFormat = {
  readonly count: (tokens: number) => string;
  readonly tokens: (tokens: number) => string;
};

export function tokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${plural(tokens, "token")}`,
  };
}

export function windowShare(share: number, windowTokens: number): string {
  return `${formatShare(share)} of a ${formatCount(windowTokens)}-token window`;
}
