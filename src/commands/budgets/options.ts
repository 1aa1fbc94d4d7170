import { sentences, UserError } from "#errors.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { textOption } from "../values.ts";

/** Options of `budgets`, as help groups them. */
export const budgetsOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      reset: {
        value: "TOOL",
        describe:
          "reset the counters of a tool; wildcards allowed, * for every counter, (all) for those of whole servers",
        names: "tool",
        isFlagOnly: true,
      },
      ...outputOptionSpecs(documentFormats),
    },
  },
];

/** The parsed arguments of `budgets`. */
export type BudgetsOptions = Output<DocumentFormat> & {
  /** Name or wildcard of the tools to reset. */
  readonly resetPattern: string | undefined;
};

/** Throws UserError that names the first mistake. */
export function parseBudgetsOptions({ options, operands, child = [] }: Arguments): BudgetsOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  return { resetPattern: textOption(options, "reset"), ...parseOutput(options, documentFormats) };
}
