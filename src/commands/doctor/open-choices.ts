import { type Budget, isShared } from "#budgets/budget.ts";

/** Options that change the number of tokens of the same call. */
const counting = ["tokenizer", "calibration", "model", "client"];

const place = ["counters", "fleet"];

/** Unlocked options that let a user spend more than locked budgets allow. Only budgets that outlive a session count: all others start at zero anyway. */
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
