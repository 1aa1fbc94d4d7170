import { sentences, UserError } from "#errors.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup, OptionSpecs, RawOptions } from "../command.ts";
import { counterOptionSpecs, parseCounterOptions } from "../counters/counter-options.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { textOption } from "../values.ts";

/** The same options, which are those of sessions where they are not given. */
function ofSessions(specs: OptionSpecs): OptionSpecs {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { ...spec, default: "as sessions have it" },
    ]),
  );
}

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
      ...ofSessions(counterOptionSpecs),
      ...outputOptionSpecs(documentFormats),
    },
  },
];

/** The parsed arguments of `budgets`. */
export type BudgetsOptions = Output<DocumentFormat> & {
  /** Name or wildcard of the tools to reset. */
  readonly resetPattern: string | undefined;
  /** The options about the place of the counters, which override those of config files. */
  readonly place: RawOptions;
};

/** Throws UserError that names the first mistake. */
export function parseBudgetsOptions({ options, operands, child = [] }: Arguments): BudgetsOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  parseCounterOptions(options);
  const place = Object.fromEntries(
    Object.keys(counterOptionSpecs).flatMap((name) => {
      const value = textOption(options, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    resetPattern: textOption(options, "reset"),
    place,
    ...parseOutput(options, documentFormats),
  };
}
