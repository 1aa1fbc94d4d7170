import { UserError } from "#kit/errors.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { choiceOption, flagOption, textOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";

export type Output<Format extends string> = {
  readonly format: Format;
  readonly output: string | undefined;
  readonly isWide: boolean;
};

export const printOptionSpecs: OptionSpecs = {
  json: { describe: "same as --format json" },
  output: {
    value: "FILE",
    describe: "write to a file in place of stdout",
    short: "o",
    isPath: true,
    isFlagOnly: true,
  },
  wide: { describe: "print all columns, and names in full" },
};

export function outputOptionSpecs(formats: readonly string[]): OptionSpecs {
  return {
    format: {
      value: "FORMAT",
      describe: `output format: ${formats.join(", ")}`,
      default: "table",
      choices: formats,
    },
    ...printOptionSpecs,
  };
}

/** Throws UserError for an unknown format, and for one that contradicts `--json`. */
export function parseOutput<const Format extends string>(
  options: RawOptions,
  formats: readonly Format[],
): Output<Format | "table" | "json"> {
  const format = choiceOption(options, "format", formats);
  rejectOtherFormat(options, format);
  return {
    format: flagOption(options, "json") ? "json" : (format ?? "table"),
    ...parsePrinting(options),
  };
}

export function rejectOtherFormat(options: RawOptions, format: string | undefined): void {
  if (!flagOption(options, "json") || format === undefined || format === "json") return;
  throw new UserError(commandSentences.optionsContradict(`--format ${format}`, "--json"));
}

export function parsePrinting(options: RawOptions): Omit<Output<never>, "format"> {
  const file = textOption(options, "output");
  return { output: file === "-" ? undefined : file, isWide: flagOption(options, "wide") };
}
