import { formatCount, formatShare, plural } from "#kit/text/numbers.ts";

export type TokenFormat = {
  readonly count: (tokens: number) => string;
  readonly tokens: (tokens: number) => string;
  /** Both where an unknown client may show more than twice as much. */
  readonly range: (tokens: number, most?: number) => string;
};

export function isRange(tokens: number, most = 0): boolean {
  return most > 2 * tokens;
}

export function tokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${plural(tokens, "token")}`,
    range: (tokens, most = 0) =>
      `${mark}${formatCount(tokens)}${isRange(tokens, most) ? `…${formatCount(most)}` : ""}`,
  };
}

export function windowShare(share: number, windowTokens: number): string {
  return `${formatShare(share)} of a ${formatCount(windowTokens)}-token window`;
}
