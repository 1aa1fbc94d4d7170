import type { EstimatorId } from "#estimators/ids.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { readerOptionGroup, tokenizerOption } from "../reader-options.ts";
import { countOption, flagOption, textOption } from "../values.ts";

const { tokenizer, model } = readerOptionGroup.options;

/** Options of `count`, as help groups them. */
export const countOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Counting",
    options: {
      ...(tokenizer && { tokenizer }),
      ...(model && { model: { ...model, describe: "target model; selects the tokenizer" } }),
    },
  },
  {
    heading: "Output",
    options: {
      limit: { value: "N", describe: "exit with 1 when all inputs together have more tokens" },
      json: { describe: "print one JSON object instead of a number or a table" },
    },
  },
];

/** The parsed arguments of `count`. */
export type CountOptions = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly tokensMax: number | undefined;
  readonly isJson: boolean;
  /** Files to count, `-` for stdin; stdin without one. */
  readonly files: readonly string[];
};

/** Throws UserError that names the first option with a wrong value. */
export function parseCountOptions({ options, operands, child = [] }: Arguments): CountOptions {
  const files = [...operands, ...child];
  return {
    tokenizer: tokenizerOption(options),
    model: textOption(options, "model"),
    tokensMax: countOption(options, "limit", 0),
    isJson: flagOption(options, "json"),
    files: files.length > 0 ? files : ["-"],
  };
}
