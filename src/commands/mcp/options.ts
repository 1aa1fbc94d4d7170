import { UserError } from "#kit/errors.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { parsePriceOptions, type PriceOptions, priceOptionSpecs } from "../price-options.ts";
import { timezoneOption } from "../report/options.ts";
import { textOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";

export const mcpOptionGroups: readonly OptionGroup[] = [
  { heading: "Answers", options: { timezone: timezoneOption, ...priceOptionSpecs } },
];

export type McpOptions = PriceOptions & {
  readonly timezone: string | undefined;
};

export function parseMcpOptions({ options, operands, child = [] }: Arguments): McpOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
  return { timezone: textOption(options, "timezone"), ...parsePriceOptions(options) };
}
