import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { describeReason } from "#kit/sentences.ts";

export function describeConsequence(policy: CounterFailurePolicy): string {
  if (policy === "local") return "this session continues from the last known amounts";
  return `calls under these budgets ${policy === "open" ? "pass" : "are refused"} until the counters are reachable again`;
}

export const storeSentences = {
  counterStoreFailed: (reason: string, policy: CounterFailurePolicy) =>
    `Cannot use the shared budget counters (${describeReason(reason)}); ${describeConsequence(policy)}`,
  counterStoreBack: () =>
    `The shared budget counters are available again; they include the spending of this session`,
  redisUnsaved: (address: string) =>
    `Cannot write the last spending of this session to the Redis at ${address}: its counters do not include it`,
} as const;
