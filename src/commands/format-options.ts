import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { choiceOption, flagOption } from "./values.ts";

/** The options that choose the format of a document. */
export const formatOptions: OptionSpecs = {
  format: {
    value: "FORMAT",
    describe: `output format: ${documentFormats.join(", ")}`,
    default: "table",
  },
  json: { describe: "same as --format json" },
};

/** The format that they choose. Throws UserError for an unknown one. */
export function formatOption(options: RawOptions): DocumentFormat {
  const format = choiceOption(options, "format", documentFormats) ?? "table";
  return flagOption(options, "json") ? "json" : format;
}
