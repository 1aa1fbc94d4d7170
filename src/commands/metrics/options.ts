import type { Arguments, OptionGroup } from "../command.ts";
import { parsePrinting, printOptionSpecs } from "../output/output-options.ts";
import { rangeEnd, timezoneOption } from "../report/options.ts";
import { UserError } from "#kit/errors.ts";
import { textOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";

export const metricsOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      since: {
        value: "WHEN",
        describe: "only from a date such as 2026-11-01 on, or of the last 24h, 7d, 4w",
        default: "all records",
        isFlagOnly: true,
      },
      timezone: timezoneOption,
      output: {
        ...printOptionSpecs["output"],
        describe: "replace this file as a whole, for the textfile collector of node_exporter",
      },
    },
  },
];

export type MetricsOptions = {
  readonly files: readonly string[];
  readonly since: string | undefined;
  readonly timezone: string | undefined;
  readonly output: string | undefined;
};

export function parseMetricsOptions({ options, operands, child = [] }: Arguments): MetricsOptions {
  const [unexpected] = child;
  if (unexpected !== undefined)
    throw new UserError(commandSentences.argumentUnexpected(unexpected));
  return {
    files: operands,
    since: rangeEnd(options, "since"),
    timezone: textOption(options, "timezone"),
    output: parsePrinting(options).output,
  };
}
