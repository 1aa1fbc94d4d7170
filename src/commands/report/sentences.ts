import { pluralize, formatCount } from "#kit/text/numbers.ts";

export function describeSkips(incomplete: number, newer: number, foreign: number): string {
  return [
    ...(incomplete === 0 ? [] : [`${formatCount(incomplete)} incomplete`]),
    ...(newer === 0 ? [] : [`${formatCount(newer)} from a newer version of mcp-meter`]),
    ...(foreign === 0 ? [] : [`${formatCount(foreign)} not from mcp-meter`]),
  ].join(", ");
}

export const reportSentences = {
  importedLeftOut: (count: number) =>
    `The summary leaves out ${pluralize(count, "imported record")}: use --by to report them`,
  onlyImported: () =>
    `Found only imported records, which a summary leaves out; use --by to report them, as in --by tool`,
  noMatch: (period: string, unknown: string | undefined, known: string) =>
    `No match in the period ${period}${unknown === undefined ? "" : `: ${unknown}`}${known === "" ? "" : `; ${known}`}`,
  linesSkipped: (file: string, lines: number, reasons: string) =>
    `Skipped ${pluralize(lines, "line")} of ${file === "-" ? "stdin" : `"${file}"`}: ${reasons}`,
  moreLinesSkipped: (lines: number, files: number) =>
    `Skipped ${pluralize(lines, "line")} of ${pluralize(files, "other file")}`,
  recordFilesLeftOut: (files: number, filesMax: number) =>
    `Left out ${pluralize(files, "record file")}; at most ${formatCount(filesMax)} are read`,
  repeatsLeftOut: (calls: number) =>
    `Did not compare ${pluralize(calls, "call")} with earlier ones; there may be more repeats`,
  listsLeftOut: (lists: number) =>
    `The report may lack definitions from ${pluralize(lists, "tool list")}; choose a shorter period`,
  totalsLeftOut: (days: number) =>
    `Left out the daily totals of ${pluralize(days, "day")} whose records were removed; only tables and trends include daily totals`,
  removedMeanwhile: () =>
    `Records were removed while they were being read, so some may be missing or counted twice; run the report again`,
  estimatorsLeftOut: (records: number) =>
    `Left out ${pluralize(records, "record")}: the sessions of the report use too many different estimators`,
  timezoneUnknown: (zone: string) =>
    `--timezone must be an IANA name such as Europe/Berlin, not "${zone}"`,
  rangeEmpty: (since: string, until: string) =>
    `Cannot report the period from ${since} to ${until}: it ends before it begins`,
  rangeInFuture: (since: string) => `The period cannot begin on ${since}: it is in the future`,
  axesTooMany: (axesMax: number) => `--by may be given at most ${axesMax} times`,
  axisTwice: (axis: string) => `--by ${axis} is given twice`,
  trendWithoutPeriod: () =>
    `If FILE, --session or --until is given, --trend requires --since, as in --since 7d`,
  csvMissing: (option: string) =>
    `--${option} cannot be printed as CSV; use --format json, or --by AXIS with --format csv for a table`,
  csvWithoutAxis: () =>
    `--format csv prints one table: choose its rows, as in "mcp-meter report --by day --format csv"`,
  recordsAreOlder: (day: string, since: string) =>
    `The latest records before this period are from ${day}; run "mcp-meter report --since ${since}"`,
  endTooEarly: () => `Found no usage in this period; leave out --until or choose a later day`,
  beginTooLate: () => `Found no usage in this period; choose an earlier --since`,
  noRecordsYet: () =>
    `There are no records yet; "mcp-meter import" reads the logs of your clients, "mcp-meter wrap" meters their servers`,
  modelUnpriced: (model: string) =>
    `There is no price for --model "${model}"; name the model as its maker does, for example claude-opus-5 or gpt-5.5`,
  whatIfMoney: (spec: string) =>
    `Cannot replay the budget "${spec}": records often lack the model of a call, and so its price; limit the tokens instead, as in 500k/day`,
  sessionUnknown: (id: string) =>
    `Found no records of the session "${id}"; a server's records keep the id of the session that started the server, even after /clear or /resume`,
  noRecords: (files: number) => `Found no records in ${pluralize(files, "file")}`,
} as const;
