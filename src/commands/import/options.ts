import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { RawRange } from "#history/reports/time-range.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { rangeEnd, timezoneOption } from "../report/options.ts";
import { flagOption, textOption } from "../values.ts";
import { logOptionGroup, type LogOptions, parseLogOptions } from "./log-options.ts";

export const importOptionGroups: readonly OptionGroup[] = [
  logOptionGroup,
  {
    heading: "Period",
    options: {
      since: {
        value: "WHEN",
        describe: "from a date such as 2026-11-01 or 20261101, or the last 24h, 7d, 4w",
        default: "all that the logs hold",
        isFlagOnly: true,
      },
      until: {
        value: "WHEN",
        describe: "to a date, which is included, or a time ago",
        isFlagOnly: true,
      },
      timezone: timezoneOption,
    },
  },
  {
    heading: "Output",
    options: {
      "no-tokens": {
        describe: "do not count the tokens of answers, which takes most of the time",
        isFlagOnly: true,
      },
      "dry-run": {
        describe: "print the folders and files that would be read, and open none",
        isFlagOnly: true,
      },
      log: {
        value: "FILE",
        describe: "write records to FILE instead of those that report reads; off for none",
        default: "a file per conversation; with --no-tokens none",
        isPath: true,
        // MCP_METER_LOG names the file of a session.
        isFlagOnly: true,
      },
      projects: {
        describe: "name projects by the last part of their folder; without it they are hashes",
        isFlagOnly: true,
      },
      ...outputOptionSpecs(documentFormats),
    },
  },
];

export type ImportOptions = LogOptions &
  Output<DocumentFormat> & {
    readonly range: RawRange;
    readonly timezone: string | undefined;
    readonly countsTokens: boolean;
    readonly isDryRun: boolean;
    readonly namesProjects: boolean;
    readonly log: string | undefined;
  };

export function parseImportOptions(args: Arguments): ImportOptions {
  const { options } = args;
  return {
    ...parseLogOptions(args),
    range: { since: rangeEnd(options, "since"), until: rangeEnd(options, "until") },
    timezone: textOption(options, "timezone"),
    countsTokens: !flagOption(options, "no-tokens"),
    isDryRun: flagOption(options, "dry-run"),
    namesProjects: flagOption(options, "projects"),
    log: textOption(options, "log"),
    ...parseOutput(options, documentFormats),
  };
}
