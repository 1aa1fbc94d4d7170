import { noUsage } from "./logged-usage.ts";
import type { LoggedRequest } from "./merge-requests.ts";

export type UsageSum = {
  readonly requests: number;
  readonly input_uncached: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly output: number;
  readonly reasoning: number;
};

export function usageSum(requests: readonly LoggedRequest[]): UsageSum {
  const usage = { ...noUsage };
  // In place: an object for each request would be most of the memory of an import.
  for (const one of requests) {
    usage.uncached += one.usage.uncached;
    usage.cacheRead += one.usage.cacheRead;
    usage.cacheWrite5m += one.usage.cacheWrite5m;
    usage.cacheWrite1h += one.usage.cacheWrite1h;
    usage.output += one.usage.output;
    usage.reasoning += one.usage.reasoning;
  }
  return {
    requests: requests.reduce((sum, { count }) => sum + count, 0),
    input_uncached: usage.uncached,
    cache_read: usage.cacheRead,
    cache_write_5m: usage.cacheWrite5m,
    cache_write_1h: usage.cacheWrite1h,
    output: usage.output,
    reasoning: usage.reasoning,
  };
}

export function usageSums(
  requests: readonly LoggedRequest[],
  key: (request: LoggedRequest) => string,
): { readonly [key: string]: UsageSum } {
  const groups = Map.groupBy(requests, key);
  const sums = [...groups].map(([name, group]) => [name, usageSum(group)] as const);
  return Object.fromEntries(sums);
}
