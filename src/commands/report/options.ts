import { sentences, UserError } from "#errors.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { choiceOption, flagOption } from "../values.ts";

/** Options of `report`, as help groups them. */
export const reportOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Output",
    options: {
      summary: {
        value: "FORMAT",
        describe: `format of the summary: ${documentFormats.join(", ")}`,
        default: "table",
      },
      json: { describe: "same as --summary json" },
    },
  },
];

/** The parsed arguments of `report`. */
export type ReportOptions = {
  readonly format: DocumentFormat;
  /** Names and globs of record files, at least one. */
  readonly files: readonly string[];
};

/** Throws UserError that names the first mistake. */
export function parseReportOptions({ options, operands, child = [] }: Arguments): ReportOptions {
  const format = choiceOption(options, "summary", documentFormats) ?? "table";
  const files = [...operands, ...child];
  if (files.length === 0) throw new UserError(sentences.reportFileMissing());
  return { format: flagOption(options, "json") ? "json" : format, files };
}
