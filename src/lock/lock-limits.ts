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
  // 100 * 0.29 is 28.999999999999996.
  const growthTokens = Number((earlierTokens * growth.share).toPrecision(12));
  return earlierTokens + Math.floor(growthTokens);
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
  current: Lock,
  limits: LockLimits,
): LimitExcess[] {
  return [
    ...findIncreaseExcess(earlier, current, limits),
    ...findTotalExcess(current, limits),
    ...current.tools.flatMap(({ name, tokens: { total: tokens } }): LimitExcess[] => {
      const allowed = limits.maxTokensByTool?.get(name) ?? limits.maxToolTokens ?? Infinity;
      return tokens > allowed ? [{ limit: "max_tool", tool: name, tokens, allowed }] : [];
    }),
  ];
}

function findIncreaseExcess(
  earlier: Lock | undefined,
  { total_tokens: tokens }: Lock,
  { maxIncrease }: LockLimits,
): LimitExcess[] {
  if (maxIncrease === undefined || !earlier) return [];
  const allowed = computeAllowedTokens(earlier.total_tokens, maxIncrease);
  return tokens > allowed ? [{ limit: "max_increase", tool: null, tokens, allowed }] : [];
}

function findTotalExcess({ total_tokens: tokens }: Lock, limits: LockLimits): LimitExcess[] {
  const { maxTotalTokens: allowed } = limits;
  if (allowed === undefined || tokens <= allowed) return [];
  return [{ limit: "max_total", tool: null, tokens, allowed }];
}
