import { sentences, UserError } from "#errors.ts";
import type { DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup, UnknownVariable } from "../command.ts";
import { formatOption, formatOptions } from "../format-options.ts";

/** Options of `doctor`, as help groups them. */
export const doctorOptionGroups: readonly OptionGroup[] = [
  { heading: "Options", options: formatOptions },
];

/** The parsed arguments of `doctor`. */
export type DoctorOptions = {
  readonly format: DocumentFormat;
  readonly unknownVariables: readonly UnknownVariable[];
};

/** Throws UserError that names the first mistake. */
export function parseDoctorOptions(args: Arguments): DoctorOptions {
  const { options, operands, child = [], unknownVariables = [] } = args;
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  return { format: formatOption(options), unknownVariables };
}
