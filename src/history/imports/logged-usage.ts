import type { TurnUsage } from "#records/money/turns/turn.ts";

export type LoggedUsage = TurnUsage;

export const noUsage: LoggedUsage = {
  uncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

export function joinUsage(
  one: LoggedUsage,
  other: LoggedUsage,
  join: (a: number, b: number) => number,
): LoggedUsage {
  return {
    uncached: join(one.uncached, other.uncached),
    cacheRead: join(one.cacheRead, other.cacheRead),
    cacheWrite5m: join(one.cacheWrite5m, other.cacheWrite5m),
    cacheWrite1h: join(one.cacheWrite1h, other.cacheWrite1h),
    output: join(one.output, other.output),
    reasoning: join(one.reasoning, other.reasoning),
  };
}

export function addUsage(one: LoggedUsage, other: LoggedUsage): LoggedUsage {
  return joinUsage(one, other, (a, b) => a + b);
}

export function largestUsage(one: LoggedUsage, other: LoggedUsage): LoggedUsage {
  return joinUsage(one, other, Math.max);
}

export function usageBeyond(one: LoggedUsage, other: LoggedUsage): LoggedUsage {
  return joinUsage(one, other, (a, b) => Math.max(0, a - b));
}

export function isNoUsage(usage: LoggedUsage): boolean {
  return Object.values(usage).every((tokens) => tokens === 0);
}

/** Sums of such numbers stay integers that a record may hold; no request or session comes near it. */
const loggedTokensMax = 1e12;

export function tokensFrom(value: unknown): number {
  const isCount = typeof value === "number" && Number.isInteger(value);
  return isCount && value > 0 && value <= loggedTokensMax ? value : 0;
}
