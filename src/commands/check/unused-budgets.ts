import type { PlannedCall } from "#check/planned-call.ts";
import { UserError } from "#kit/errors.ts";
import type { ServerListing } from "#lock/profile.ts";
import { nearestName } from "#kit/text/nearest.ts";
import { fitsWildcard } from "#kit/text/wildcard.ts";
import { textAt } from "#wire/json.ts";
import type { CheckOptions } from "./options.ts";
import { checkSentences } from "./sentences.ts";
import { budgetSentences } from "#meter/budgets/sentences.ts";

/** A check that checks nothing must not pass. Throws UserError. */
export function refuseUnusedBudgets(
  { budgets, callsFile = "" }: Pick<CheckOptions, "budgets" | "callsFile">,
  { tools }: Pick<ServerListing, "tools">,
  plan: readonly PlannedCall[],
): void {
  const names = tools.map((tool) => textAt(tool, "name") ?? "");
  for (const { tool: pattern, spec } of budgets) {
    if (pattern === null) continue;
    if (!names.some((name) => fitsWildcard(pattern, name))) {
      const nearest = nearestName(pattern, names);
      throw new UserError(budgetSentences.budgetUnmatched(spec, names.length, nearest));
    }
    if (!plan.some(({ tool, skip }) => skip === undefined && fitsWildcard(pattern, tool))) {
      throw new UserError(checkSentences.budgetUnused(spec, callsFile));
    }
  }
}
