import { sentences, UserError } from "#errors.ts";
import { actions } from "#actions/index.ts";
import type { Budget } from "#budgets/budget.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import { rejectContradictions } from "#budgets/contradictions.ts";
import type { Growth } from "#lock/growth.ts";
import { checkFormats } from "#renderers/formats.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { growthOption, lockLimitSpecs } from "../lock/options.ts";
import { serverOptionSpecs } from "../visit/options.ts";
import { flagOption, listOption, textOption } from "../values.ts";

/** Options of `check` as a person writes them. */
export const checkOptionSpecs: OptionSpecs = {
  calls: { value: "FILE", describe: "calls to play, JSON or YAML" },
  budget: {
    value: "SPEC",
    describe: "[TOOL=]LIMIT[/PER] over the calls, per call or session",
    isRepeatable: true,
  },
  "max-growth": {
    value: "SHARE|N",
    describe: "growth of a call since the lock recorded it: 20% (default) or tokens",
  },
  update: { describe: "record the answers of the calls in the lock" },
  format: { value: "FORMAT", describe: `${checkFormats.join(", ")} (default: table)` },
  ...lockLimitSpecs,
  ...serverOptionSpecs,
};

const growthDefault: Growth = { share: 0.2 };

/** Those options, understood, without what is about the lock or the server. */
export type CheckOptions = {
  readonly callsFile: string | undefined;
  readonly budgets: readonly Budget[];
  readonly growth: Growth;
  readonly isUpdate: boolean;
};

/** Throws UserError naming the first option that cannot be read. */
export function parseCheckOptions(raw: RawOptions): CheckOptions {
  const callsFile = textOption(raw, "calls");
  const isUpdate = flagOption(raw, "update");
  if (isUpdate && callsFile === undefined) throw new UserError(sentences.updateNeedsCalls());
  const budgets = listOption(raw, "budget").map((spec) => parseBudget(spec, actions));
  rejectContradictions(budgets, actions);
  const odd = budgets.find(({ per }) => per !== "call" && per !== "session");
  if (odd) throw new UserError(sentences.checkBudgetPeriod(odd.spec, odd.per));
  const growth = growthOption(raw, "max-growth") ?? growthDefault;
  return { callsFile, budgets, growth, isUpdate };
}
