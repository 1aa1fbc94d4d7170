import { formatQuantity, groupDigits } from "#kit/errors.ts";

export function describeSkips(incomplete: number, newer: number, foreign: number): string {
  return [
    ...(incomplete === 0 ? [] : [`${groupDigits(incomplete)} incomplete`]),
    ...(newer === 0 ? [] : [`${groupDigits(newer)} from a newer version of mcp-meter`]),
    ...(foreign === 0 ? [] : [`${groupDigits(foreign)} not from mcp-meter`]),
  ].join(", ");
}

export const reportSentences = {
  importedLeftOut: (count: number) =>
    `The summary is without ${formatQuantity(count, "imported record")}: use --by to report them`,
  noMatch: (period: string, servers: string, clients: string) =>
    [
      `Nothing matches ${period}`,
      ...(servers === "" ? [] : [`servers with records in it: ${servers}`]),
      ...(clients === "" ? [] : [`clients: ${clients}`]),
    ].join("; "),
  linesSkipped: (file: string, lines: number, reasons: string) =>
    `Skipped ${formatQuantity(lines, "line")} of ${file === "-" ? "stdin" : `"${file}"`}: ${reasons}`,
  moreLinesSkipped: (lines: number, files: number) =>
    `Skipped ${formatQuantity(lines, "line")} of ${formatQuantity(files, "further file")}`,
  recordFilesLeftOut: (files: number, filesMax: number) =>
    `Left out ${formatQuantity(files, "record file")}; at most ${groupDigits(filesMax)} are read`,
  repeatsLeftOut: (calls: number) =>
    `Did not compare ${formatQuantity(calls, "call")} with earlier ones; there may be more repeats`,
  listsLeftOut: (lists: number) =>
    `Left out the loaded definitions of ${formatQuantity(lists, "list")} of tools; choose a shorter period`,
  totalsLeftOut: (days: number) =>
    `Left out ${formatQuantity(days, "day")} of removed records: only tables and trends include their totals`,
  removedMeanwhile: () =>
    `Records were removed while they were read, so some may be missing or counted twice; run the report again`,
  estimatorsLeftOut: (records: number) =>
    `Left out ${formatQuantity(records, "record")}: their sessions use too many different estimators`,
  timezoneUnknown: (zone: string) =>
    `--timezone must be an IANA name such as Europe/Berlin, not "${zone}"`,
  rangeEmpty: (since: string, until: string) =>
    `Cannot report the period from ${since} to ${until}: it ends before it begins`,
  axesTooMany: (axesMax: number) => `--by may be given at most ${axesMax} times`,
  axisTwice: (axis: string) => `--by ${axis} is given twice`,
  trendWithoutPeriod: () => `--trend requires --since, as in --since 7d`,
  csvWithoutAxis: () => `--format csv requires --by, as in --by server`,
  recordsAreOlder: (day: string) =>
    `The newest earlier records are from ${day}; use --since ${day}`,
  noRecordsYet: () =>
    `There are no records yet; "mcp-meter import" reads the logs of your clients, "mcp-meter wrap" meters their servers`,
  noRecords: (files: number) => `Found no records in ${formatQuantity(files, "file")}`,
} as const;
