import { UserError } from "#kit/errors.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup, RawOptions } from "../command.ts";
import { logOptionGroup, type LogOptions, parseLogOptions } from "../import/log-options.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { parsePercent, textOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";

export const validateOptionGroups: readonly OptionGroup[] = [
  logOptionGroup,
  {
    heading: "Verdict",
    options: {
      "max-error": {
        value: "PERCENT",
        describe: "fail when the median error of a model is larger, such as 15%",
        isFlagOnly: true,
      },
      "write-calibration": {
        value: "FILE",
        describe: "write the scales that were measured, for the option calibration of run",
        isFlagOnly: true,
        isPath: true,
      },
    },
  },
  { heading: "Output", options: outputOptionSpecs(documentFormats) },
];

export type ValidateOptions = LogOptions &
  Output<DocumentFormat> & {
    readonly errorMax: number | undefined;
    readonly calibrationFile: string | undefined;
  };

export function parseValidateOptions(args: Arguments): ValidateOptions {
  const { options } = args;
  return {
    ...parseLogOptions(args),
    errorMax: errorOption(options),
    calibrationFile: textOption(options, "write-calibration"),
    ...parseOutput(options, documentFormats),
  };
}

function errorOption(options: RawOptions): number | undefined {
  const text = textOption(options, "max-error");
  if (text === undefined) return undefined;
  const percent = parsePercent(text);
  if (percent !== undefined) return percent / 100;
  throw new UserError(commandSentences.optionValue("max-error", text, "a percentage such as 15%"));
}
