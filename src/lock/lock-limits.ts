import { allowedTokens, type Growth } from "./answer-limits.ts";
import type { Lock } from "./lock.ts";

/** An absent member limits nothing. */
export type LockLimits = {
  /** Since the lock was written. */
  readonly maxIncrease?: Growth;
  readonly maxTotalTokens?: number;
  readonly maxToolTokens?: number;
  /** By name; in place of the limit for all. */
  readonly maxTokensByTool?: ReadonlyMap<string, number>;
};

export type LimitExcess = {
  readonly limit: "max_increase" | "max_total" | "max_tool";
  /** Null for all definitions together. */
  readonly tool: string | null;
  readonly tokens: number;
  readonly allowed: number;
};

/** Growth is measured from `earlier`. */
export function findExcess(
  earlier: Lock | undefined,
  now: Lock,
  limits: LockLimits,
): LimitExcess[] {
  return [
    ...increaseExcess(earlier, now, limits),
    ...totalExcess(now, limits),
    ...toolExcess(now, limits),
  ];
}

function increaseExcess(
  earlier: Lock | undefined,
  { total_tokens: tokens }: Lock,
  { maxIncrease }: LockLimits,
): LimitExcess[] {
  if (maxIncrease === undefined || !earlier) return [];
  const allowed = allowedTokens(earlier.total_tokens, maxIncrease);
  return tokens > allowed ? [{ limit: "max_increase", tool: null, tokens, allowed }] : [];
}

function totalExcess({ total_tokens: tokens }: Lock, limits: LockLimits): LimitExcess[] {
  const { maxTotalTokens: allowed } = limits;
  if (allowed === undefined || tokens <= allowed) return [];
  return [{ limit: "max_total", tool: null, tokens, allowed }];
}

function toolExcess(
  { tools }: Lock,
  { maxToolTokens, maxTokensByTool }: LockLimits,
): LimitExcess[] {
  return tools.flatMap(({ name, tokens: { total: tokens } }): LimitExcess[] => {
    const allowed = maxTokensByTool?.get(name) ?? maxToolTokens ?? Infinity;
    return tokens > allowed ? [{ limit: "max_tool", tool: name, tokens, allowed }] : [];
  });
}
