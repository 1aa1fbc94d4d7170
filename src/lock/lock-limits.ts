import type { Lock } from "./lock.ts";

export type LockLimits = {
  readonly maxIncrease?: GrowthAllowance;
  readonly maxTotalTokens?: number;
  readonly maxToolTokens?: number;
  readonly maxTokensByTool?: ReadonlyMap<string, number>;
};

/** `share` is a fraction: 0.1 allows 10 % more. */
export type GrowthAllowance = { readonly share: number } | { readonly tokens: number };

export function computeAllowedTokens(earlierTokens: number, growth: GrowthAllowance): number {
  if ("tokens" in growth) return earlierTokens + growth.tokens;
  // Rounds the product before `Math.floor`, because 100 * 0.29 is 28.999999999999996.
  const growthTokens = Number((earlierTokens * growth.share).toPrecision(12));
  return earlierTokens + Math.floor(growthTokens);
}

// Leaves room for a few sentences added to descriptions.
const driftPercentMax = 10;

// Ten percent of a long list can be as large as a whole tool. So the lower of the two limits applies.
const driftTokensMax = 200;

export function computeTokensWithoutDrift(lockedTokens: number): number {
  const byShare = computeAllowedTokens(lockedTokens, { share: driftPercentMax / 100 });
  return Math.min(byShare, computeAllowedTokens(lockedTokens, { tokens: driftTokensMax }));
}

export type LimitExcess = {
  readonly limit: "max_increase" | "max_total" | "max_tool";
  /** Null for all definitions together. */
  readonly tool: string | null;
  readonly tokens: number; // the actual tokens, more than `allowed`
  readonly allowed: number;
};

export function findExceededLimits(
  earlier: Lock | undefined,
  { total_tokens: total, tools }: Lock,
  limits: LockLimits,
): LimitExcess[] {
  const { maxIncrease, maxTotalTokens = Infinity, maxToolTokens = Infinity } = limits;
  const allowedAfterIncrease =
    earlier && maxIncrease ? computeAllowedTokens(earlier.total_tokens, maxIncrease) : Infinity;
  const comparisons: readonly LimitExcess[] = [
    { limit: "max_increase", tool: null, tokens: total, allowed: allowedAfterIncrease },
    { limit: "max_total", tool: null, tokens: total, allowed: maxTotalTokens },
    ...tools.map(({ name, tokens }) => ({
      limit: "max_tool" as const,
      tool: name,
      tokens: tokens.total,
      allowed: limits.maxTokensByTool?.get(name) ?? maxToolTokens,
    })),
  ];
  return comparisons.filter(({ tokens, allowed }) => tokens > allowed);
}
