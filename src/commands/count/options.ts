import type { EstimatorId } from "#tokens/estimators/ids.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { exactOptionSpecs, type ExactOptions, parseExactOptions } from "../exact-options.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { readerOptionGroup, tokenizerOption } from "../reader-options.ts";
import { countOption, textOption } from "../values.ts";

const { tokenizer, model } = readerOptionGroup.options;

export const countOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Counting",
    options: {
      ...(tokenizer && { tokenizer }),
      ...(model && { model: { ...model, describe: "target model; selects the tokenizer" } }),
      ...exactOptionSpecs,
    },
  },
  {
    heading: "Output",
    options: {
      limit: { value: "N", describe: "exit with 1 when all inputs together have more tokens" },
      ...outputOptionSpecs(documentFormats),
    },
  },
];

export type CountOptions = Output<DocumentFormat> & {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly tokensMax: number | undefined;
  readonly exact: ExactOptions | undefined;
  readonly files: readonly string[];
};

export function parseCountOptions({ options, operands, child = [] }: Arguments): CountOptions {
  const files = [...operands, ...child];
  return {
    tokenizer: tokenizerOption(options),
    model: textOption(options, "model"),
    tokensMax: countOption(options, "limit", 0),
    ...parseOutput(options, documentFormats),
    exact: parseExactOptions(options),
    files: files.length > 0 ? files : ["-"],
  };
}
