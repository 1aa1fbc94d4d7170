import { type Budget, isShared } from "#budgets/budget.ts";

/** Options by which the same call has another number of tokens. */
const counting = ["tokenizer", "calibration", "model", "client"];

/** Options that name the counters. */
const place = ["counters", "fleet"];

/**
 * The options that are not locked and by which a user may spend more than locked budgets allow: those of budgets that outlive a
 * session, as all others begin at zero anyway.
 */
export function openChoices(
  budgets: readonly Budget[],
  locked: ReadonlySet<string>,
): readonly string[] {
  const lasting = budgets.filter(isShared);
  if (lasting.length === 0) return [];
  const isCounted = lasting.some(({ unit }) => unit === "tokens");
  const isNamed = lasting.some(({ isOverall }) => !isOverall);
  const choices = [...place, ...(isCounted ? counting : []), ...(isNamed ? ["server"] : [])];
  return choices.filter((name) => !locked.has(name));
}
