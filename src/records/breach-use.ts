import { formatCount } from "#text/numbers.ts";
import type { BreachRecord } from "./record.ts";

/** The amount of a budget that is used with the call of a breach; `spent` of its record is without the call. */
export function amountWithCall({
  unit,
  spent,
  tokens,
}: Pick<BreachRecord, "unit" | "spent" | "tokens">): number {
  return spent + (unit === "calls" ? 1 : tokens);
}

/** The same next to the limit: `3,120 of 2,000 tokens per call`. */
export function breachUse(breach: BreachRecord): string {
  const { limit, unit, per } = breach;
  return `${formatCount(amountWithCall(breach))} of ${formatCount(limit)} ${unit} per ${per}`;
}
