import type { Lock } from "./lock.ts";

export type LockLimits = {
  readonly maxIncrease?: Growth;
  readonly maxTotalTokens?: number;
  readonly maxToolTokens?: number;
  readonly maxTokensByTool?: ReadonlyMap<string, number>;
};

/** `share` is a fraction: 0.1 allows 10 % more. */
export type Growth = { readonly share: number } | { readonly tokens: number };

export function computeAllowedTokens(earlierTokens: number, growth: Growth): number {
  const growthTokens = "share" in growth ? Math.floor(earlierTokens * growth.share) : growth.tokens;
  return earlierTokens + growthTokens;
}

export type LimitExcess = {
  readonly limit: "max_increase" | "max_total" | "max_tool";
  /** Null for all definitions together. */
  readonly tool: string | null;
  readonly tokens: number;
  readonly allowed: number;
};

export function findExcess(
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
