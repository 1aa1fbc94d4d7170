import { sentences, UserError } from "#errors.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup, RawOptions } from "../command.ts";
import { logOptionGroup, type LogOptions, parseLogOptions } from "../import/log-options.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { parsePercent, textOption } from "../values.ts";

/** Options of `validate`, as help groups them. */
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

/** The parsed arguments of `validate`. */
export type ValidateOptions = LogOptions &
  Output<DocumentFormat> & {
    /** Largest median error as a share; undefined for any. */
    readonly errorMax: number | undefined;
    readonly calibrationFile: string | undefined;
  };

/** Throws UserError that names the first mistake. */
export function parseValidateOptions(args: Arguments): ValidateOptions {
  const { options } = args;
  return {
    ...parseLogOptions(args),
    errorMax: errorOption(options),
    calibrationFile: textOption(options, "write-calibration"),
    ...parseOutput(options, documentFormats),
  };
}

/** A share in percent, with or without its sign. */
function errorOption(options: RawOptions): number | undefined {
  const text = textOption(options, "max-error");
  if (text === undefined) return undefined;
  const percent = parsePercent(text);
  if (percent !== undefined) return percent / 100;
  throw new UserError(sentences.optionValue("max-error", text, "a percentage such as 15%"));
}
