import { UserError } from "#kit/errors.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup, OptionSpecs, RawOptions } from "../command.ts";
import { counterOptionSpecs, parseCounterOptions } from "../counters/counter-options.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { textOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";

function ofSessions(specs: OptionSpecs): OptionSpecs {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { ...spec, default: "as sessions have it" },
    ]),
  );
}

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
      ...ofSessions(counterOptionSpecs),
      ...outputOptionSpecs(documentFormats),
    },
  },
];

export type BudgetsOptions = Output<DocumentFormat> & {
  readonly resetPattern: string | undefined;
  readonly place: RawOptions;
};

export function parseBudgetsOptions({ options, operands, child = [] }: Arguments): BudgetsOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
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
