import { UserError } from "#kit/errors.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { outputOptionSpecs } from "../output/output-options.ts";
import {
  confirmationOptionSpecs,
  parseSelection,
  type Selection,
  selectionOptionSpecs,
} from "../wrap/options.ts";
import { commandSentences } from "../sentences.ts";

export const unwrapOptionGroups: readonly OptionGroup[] = [
  { heading: "Servers", options: { ...selectionOptionSpecs, ...confirmationOptionSpecs } },
  { heading: "Output", options: outputOptionSpecs(documentFormats) },
];

export function parseUnwrapOptions({ options, operands, child }: Arguments): Selection {
  if (child !== undefined) throw new UserError(commandSentences.argumentUnexpected("--"));
  return parseSelection(options, operands);
}
