import { UserError } from "#kit/errors.ts";
import { formatSuggestion } from "#kit/sentences.ts";
import { isRangeBound } from "#history/reports/time-range.ts";
import type { RawOptions } from "./command.ts";
import { commandSentences } from "./sentences.ts";
import { readText } from "./option-values.ts";

export function makeRangeSpecs(defaultPeriod: string) {
  return {
    since: {
      value: "WHEN",
      description: "from a date such as 2026-11-01 or 20261101, or the last 24h, 7d, 4w",
      default: defaultPeriod,
      isCommandLineOnly: true,
    },
    until: {
      value: "WHEN",
      description: "to the end of a date, or everything before the last 24h, 7d or 4w",
      isCommandLineOnly: true,
    },
  };
}

export const rangeBoundForms = "a date such as 2026-11-01, or an age such as 24h or 7d";

export function parseRangeBound(options: RawOptions, name: string): string | undefined {
  const text = readText(options, name);
  if (text === undefined || isRangeBound(text)) return text;
  const sentence = commandSentences.optionValue(name, text, rangeBoundForms);
  throw new UserError(`${sentence}${formatSuggestion(suggestAge(name, text))}`);
}

function suggestAge(name: string, text: string): string | undefined {
  if (/^\d{1,4}$/.test(text)) return `${text}d`;
  // `--since 2d` begins yesterday; `--until 1d` ends with yesterday.
  const daysBack = name === "since" ? "2d" : "1d";
  return text === "yesterday" ? daysBack : undefined;
}
