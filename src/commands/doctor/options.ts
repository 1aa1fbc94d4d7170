import { UserError } from "#kit/errors.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup, UnknownVariable } from "../command.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { commandSentences } from "../sentences.ts";

export const doctorOptionGroups: readonly OptionGroup[] = [
  { heading: "Options", options: outputOptionSpecs(documentFormats) },
];

export type DoctorOptions = Output<DocumentFormat> & {
  readonly unknownVariables: readonly UnknownVariable[];
};

export function parseDoctorOptions(args: Arguments): DoctorOptions {
  const { options, operands, child = [], unknownVariables = [] } = args;
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
  return { ...parseOutput(options, documentFormats), unknownVariables };
}
