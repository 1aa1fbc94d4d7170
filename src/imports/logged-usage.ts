import type { TurnUsage } from "#money/turns/turn.ts";

/** Native tokens of requests to a model, as a client's log has them. */
export type LoggedUsage = TurnUsage;

/** No tokens. */
export const noUsage: LoggedUsage = {
  uncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

/** Joins two usages component by component. */
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

/** The sum of two usages. */
export function addUsage(one: LoggedUsage, other: LoggedUsage): LoggedUsage {
  return joinUsage(one, other, (a, b) => a + b);
}

/** The largest number of each component. */
export function largestUsage(one: LoggedUsage, other: LoggedUsage): LoggedUsage {
  return joinUsage(one, other, Math.max);
}

/** The part of a usage that another one does not have; never negative. */
export function usageBeyond(one: LoggedUsage, other: LoggedUsage): LoggedUsage {
  return joinUsage(one, other, (a, b) => Math.max(0, a - b));
}

/** True when every component is 0. */
export function isNoUsage(usage: LoggedUsage): boolean {
  return Object.values(usage).every((tokens) => tokens === 0);
}

/** A number of tokens as a log has it: 0 unless it is a whole number that is not negative. */
export function tokensFrom(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
