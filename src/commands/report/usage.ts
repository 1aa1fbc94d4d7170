import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { reportEstimatorsMax } from "#limits.ts";
import { dayMs } from "#reports/calendar.ts";
import { Cube, type CubeOmissions } from "#reports/cube.ts";
import { makeReport, type TablePlan } from "#reports/make-report.ts";
import {
  lastDays,
  type RawRange,
  rangeBefore,
  rangeBetween,
  type TimeRange,
} from "#reports/time-range.ts";
import { TimeZone } from "#reports/time-zone.ts";
import type { UsageReport } from "#reports/usage-report.ts";
import { renderUsage, type UsagePage } from "#renderers/usage.ts";
import { mayColor } from "#os/output.ts";
import { recordSources, type RecordSources, recordSourcesBelow } from "#storage/record-files.ts";
import { recordsFolder } from "#storage/record-path.ts";
import { type Tell, Teller } from "#text/teller.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import type { ReportOptions, UsageOptions } from "./options.ts";
import { readSources } from "./read-sources.ts";

/** Tables of a report without an axis, and their largest rows: all days are shown. */
const usualTables: readonly Pick<TablePlan, "by" | "top">[] = [
  { by: ["day"], top: undefined },
  { by: ["server"], top: 10 },
  { by: ["tool"], top: 10 },
];
/** Today, which is not over, and the week before it. */
export const usualDays = 8;

/** A trend compares a week with a week, up to the same time of the day. */
const trendDays = 7;

const noChoice: UsageOptions = {
  by: [],
  range: { since: undefined, until: undefined },
  order: undefined,
  top: undefined,
  hasTrend: false,
  filters: { servers: [], tools: [], clients: [] },
};

/** The text of a report over time. Throws UserError for a time zone or a period that is none. */
export async function usageReport(options: ReportOptions, io: Io, nowMs: number): Promise<string> {
  const { files, usage = noChoice } = options;
  const zone = zoneNamed(options.timezone);
  const days = usage.hasTrend ? trendDays : usualDays;
  const range = rangeOf(usage.range, files.length > 0 ? undefined : days, zone, nowMs);
  const before = usage.hasTrend ? rangeBefore(range, zone, nowMs) : undefined;
  const cube = new Cube({ ranges: before ? [range, before] : [range], zone });
  const { tell } = new Teller(io.stderr);
  const sources = await sourcesOf(files, before ?? range, io);
  await readSources(sources, (record) => cube.add(record), tell);
  tellOmissions(cube.omissions, tell);
  const report = makeReport(cube.facts(), {
    prices: await openPrices(options, await readNamedPrices(options)),
    tables: tablesOf(usage),
    filters: usage.filters,
    range,
    zone,
    today: zone.dayOf(nowMs),
    trend: before && { before, top: usage.top },
  });
  return renderUsage(options.format, boundedBlocks(report, tell), pageOf(options, io));
}

function tellOmissions({ records, uncompared, lists }: CubeOmissions, tell: Tell): void {
  if (records > 0) tell(sentences.recordsLeftOut(records));
  if (uncompared > 0) tell(sentences.repeatsLeftOut(uncompared));
  if (lists > 0) tell(sentences.listsLeftOut(lists));
}

/** The report without the blocks beyond `reportEstimatorsMax`, whose calls are reported. */
function boundedBlocks(report: UsageReport, tell: Tell): UsageReport {
  const blocks = report.blocks.slice(0, reportEstimatorsMax);
  const left = report.blocks.slice(reportEstimatorsMax);
  if (left.length > 0) {
    tell(sentences.estimatorsLeftOut(left.reduce((sum, { totals }) => sum + totals.calls, 0)));
  }
  return { ...report, blocks };
}

function pageOf({ isWide, output }: ReportOptions, { stdout, env }: Io): UsagePage {
  const isPrinted = output === undefined;
  const isTerminal = isPrinted && stdout.isTerminal;
  return {
    color: isPrinted && mayColor(stdout, env),
    columns: isTerminal && !isWide ? stdout.columns : undefined,
    isWide,
    isTerminal,
  };
}

/** The tables of a report. A trend alone has none. */
function tablesOf({ by, top, order, hasTrend }: UsageOptions): readonly TablePlan[] {
  if (by.length > 0) return [{ by, top, order }];
  if (hasTrend) return [];
  return usualTables.map((table) => ({ ...table, top: top ?? table.top, order }));
}

export function zoneNamed(name: string | undefined): TimeZone {
  const wanted = name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new TimeZone(wanted);
  } catch {
    throw new UserError(sentences.timezoneUnknown(wanted));
  }
}

/** The range of the user, else the last `days` days; without them all time. Throws UserError for one that is empty. */
export function rangeOf(
  raw: RawRange,
  days: number | undefined,
  zone: TimeZone,
  nowMs: number,
): TimeRange {
  const { since, until } = raw;
  if (since === undefined && until === undefined && days !== undefined) {
    return lastDays(days, zone, nowMs);
  }
  const range = rangeBetween(raw, zone, nowMs);
  if (range.fromMs < range.toMs) return range;
  throw new UserError(sentences.rangeEmpty(since ?? "the beginning", until ?? "now"));
}

/**
 * The files of the user, else the records of this machine that were written in the period or later, with a day to spare
 * for a clock that was set.
 */
export async function sourcesOf(
  files: readonly string[],
  { fromMs }: TimeRange,
  io: Io,
): Promise<RecordSources> {
  if (files.length > 0) return recordSources(files);
  const folder = recordsFolder(io.env);
  if (folder === undefined) throw new UserError(sentences.stateHomeMissing());
  return recordSourcesBelow(folder, fromMs - dayMs);
}
