import { formatCount } from "#kit/text/numbers.ts";
import type { BreachRecord } from "./record.ts";

/** With the call of the breach; `spent` of its record is without it. */
export function amountWithCall({
  unit,
  spent,
  tokens,
}: Pick<BreachRecord, "unit" | "spent" | "tokens">): number {
  return spent + (unit === "calls" ? 1 : tokens);
}

export function breachUse(breach: BreachRecord): string {
  const { limit, unit, per } = breach;
  return `${formatCount(amountWithCall(breach))} of ${formatCount(limit)} ${unit} per ${per}`;
}
