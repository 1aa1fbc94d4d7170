import { sentences, UserError } from "#errors.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { choiceOption, flagOption, textOption } from "../values.ts";

/** The form and the place of everything that a command prints. */
export type Output<Format extends string> = {
  readonly format: Format;
  /** The file to write; undefined for stdout. */
  readonly output: string | undefined;
  /** True when nothing is shortened to the width of a terminal. */
  readonly isWide: boolean;
};

/** The options of every command that prints, besides its formats. */
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

/** The same with the formats of a command. */
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

/** Throws UserError for a format that is not one of these, and for one that contradicts `--json`. */
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

/** `--format` and `--json` must agree. Throws UserError. */
export function rejectOtherFormat(options: RawOptions, format: string | undefined): void {
  if (!flagOption(options, "json") || format === undefined || format === "json") return;
  throw new UserError(sentences.optionsContradict(`--format ${format}`, "--json"));
}

/** The file and the width; `-` is stdout. Throws UserError for an empty name. */
export function parsePrinting(options: RawOptions): Omit<Output<never>, "format"> {
  const file = textOption(options, "output");
  return { output: file === "-" ? undefined : file, isWide: flagOption(options, "wide") };
}
