import { sentences, UserError } from "#errors.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { flagOption, textOption } from "../values.ts";

/** Options of `budgets`, as help groups them. */
export const budgetsOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      reset: {
        value: "TOOL",
        describe:
          "reset the counters of a tool; wildcards allowed, * for every counter, (all) for those of whole servers",
        isFlagOnly: true,
      },
      json: { describe: "print one JSON object instead of a table" },
    },
  },
];

/** The parsed arguments of `budgets`. */
export type BudgetsOptions = {
  /** Name or wildcard of the tools to reset. */
  readonly resetPattern: string | undefined;
  readonly isJson: boolean;
};

/** Throws UserError that names the first mistake. */
export function parseBudgetsOptions({ options, operands, child = [] }: Arguments): BudgetsOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  return { resetPattern: textOption(options, "reset"), isJson: flagOption(options, "json") };
}
