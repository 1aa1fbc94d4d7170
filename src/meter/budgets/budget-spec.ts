import { UserError } from "#kit/errors.ts";
import { type ActionRules, type Budget, makeBudget } from "./budget.ts";
import { budgetSentences } from "./sentences.ts";

const listed = /=\d[\w/:.]*,/;

/** Parses `[TOOL=]LIMIT[/PER][:ACTION]`. The tool ends at the last `=`, so its name may contain any character. Throws UserError naming the wrong part. */
export function parseBudget(spec: string, actions: ActionRules): Budget {
  const cut = spec.lastIndexOf("=");
  const tool = cut < 0 ? undefined : spec.slice(0, cut);
  const [amount = "", action, ...moreActions] = spec.slice(cut + 1).split(":");
  const [limit = "", per, ...morePeriods] = amount.split("/");
  if (tool !== undefined && listed.test(tool)) {
    throw new UserError(
      budgetSentences.budgetMalformed(spec, "it has several; give each its own --budget"),
    );
  }
  if (moreActions.length > 0) throw surplus(spec, "action", "search=2000:warn");
  if (morePeriods.length > 0) throw surplus(spec, "period", "20k/session");
  return makeBudget({ tool, limit, per, action }, actions);
}

function surplus(spec: string, part: string, example: string): UserError {
  const reason = `it has more than one ${part}; write one, as in ${example}`;
  return new UserError(budgetSentences.budgetMalformed(spec, reason));
}
