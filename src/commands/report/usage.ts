import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { reportEstimatorsMax } from "#kit/limits.ts";
import {
  dayText,
  findLastDays,
  findRangeBefore,
  parseRange,
  type RawRange,
  type TimeRange,
  TimeZone,
} from "#history/reports/calendar.ts";
import { makeReport, type NameFilters, type TablePlan } from "#history/reports/make-report.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import type { UsageReport } from "#history/reports/usage-report.ts";
import { renderUsage, type UsagePage } from "#screens/renderers/usage.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { measurePage } from "../output/output-options.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import { findReportedMachine } from "../run/machine.ts";
import { describeNoMatch } from "./read-sources.ts";
import type { ReportOptions, UsageOptions } from "./options.ts";
import { findMachineSources, readUsage, findMachineImports } from "./read-usage.ts";
import { statSync } from "node:fs";
import { reportSentences } from "./sentences.ts";

const defaultTables: readonly Pick<TablePlan, "by" | "top">[] = [
  { by: ["day"], top: undefined },
  { by: ["server"], top: 10 },
  { by: ["tool"], top: 10 },
];
export const defaultDays = 8;

const trendDays = 7;

const noUsageOptions: UsageOptions = {
  by: [],
  range: { since: undefined, until: undefined },
  order: undefined,
  top: undefined,
  hasTrend: false,
  filters: { servers: [], tools: [], clients: [] },
};

export async function renderUsageReport(
  options: ReportOptions,
  io: Io,
  nowMs: number,
): Promise<string> {
  const { files, usage = noUsageOptions } = options;
  const zone = openTimeZone(options.timezone);
  const days = usage.hasTrend ? trendDays : defaultDays;
  const range = resolveRange(usage.range, files.length > 0 ? undefined : days, zone, nowMs);
  const before = usage.hasTrend ? findRangeBefore(range, zone, nowMs) : undefined;
  const { tell } = new Teller(io.stderr);
  const ranges = before ? [range, before] : [range];
  const isBySession = usage.by.includes("session");
  const prices = await openPrices(options, await readNamedPrices(options));
  const plan = { ranges, zone, nowMs, isBySession, prices };
  const read = await readUsage(files, plan, io, { tell });
  const report = makeReport(read.facts, {
    prices,
    tables: planTables(usage),
    filters: usage.filters,
    range,
    zone,
    today: zone.findDay(nowMs),
    daysLeftOut: read.daysLeftOut,
    conversations: isFiltered(usage.filters) ? undefined : read.conversations,
    view: read.view,
    trend: before && { before, top: usage.top },
  });
  if (report.blocks.length === 0) {
    const folder = files.length === 0 ? stateFolder(io.env) : undefined;
    tellEmpty(read.facts, { range, zone, folder }, tell);
  }
  const machine = files.length === 0 ? findReportedMachine(options, io.env) : undefined;
  const shown = { ...limitBlocks(report, tell), ...(machine === undefined ? {} : { machine }) };
  return renderUsage(options.format, shown, await preparePage(options, io));
}

function tellEmpty(
  facts: readonly UsageFact[],
  { range, zone, folder }: { range: TimeRange; zone: TimeZone; folder: string | undefined },
  tell: Tell,
): void {
  if (facts.length > 0) return tell(describeNoMatch(facts, { range, zone }));
  const ms = folder === undefined ? undefined : findNewestRecord(folder, range.fromMs);
  if (ms !== undefined) tell(reportSentences.recordsAreOlder(dayText(zone.findDay(ms))));
}

// The cost of a conversation is known only for all its calls together.
function isFiltered({ servers, tools, clients }: NameFilters): boolean {
  return servers.length + tools.length + clients.length > 0;
}

function limitBlocks(report: UsageReport, tell: Tell): UsageReport {
  const blocks = report.blocks.slice(0, reportEstimatorsMax);
  const left = report.blocks.slice(reportEstimatorsMax);
  if (left.length > 0) {
    tell(
      reportSentences.estimatorsLeftOut(left.reduce((sum, { totals }) => sum + totals.calls, 0)),
    );
  }
  return { ...report, blocks };
}

async function preparePage(options: ReportOptions, io: Io): Promise<UsagePage> {
  const { isWide, output } = options;
  const isTerminal = output === undefined && io.stdout.isTerminal;
  return { ...(await measurePage(options, io.stdout, io.env)), isWide, isTerminal };
}

function planTables({ by, top, order, hasTrend }: UsageOptions): readonly TablePlan[] {
  if (by.length > 0) return [{ by, top, order }];
  if (hasTrend) return [];
  return defaultTables.map((table) => ({ ...table, top: top ?? table.top, order }));
}

export function openTimeZone(name: string | undefined): TimeZone {
  const zoneName = name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new TimeZone(zoneName);
  } catch {
    throw new UserError(reportSentences.timezoneUnknown(zoneName));
  }
}

export function resolveRange(
  raw: RawRange,
  days: number | undefined,
  zone: TimeZone,
  nowMs: number,
): TimeRange {
  const { since, until } = raw;
  if (since === undefined && until === undefined && days !== undefined) {
    return findLastDays(days, zone, nowMs);
  }
  const range = parseRange(raw, zone, nowMs);
  if (range.fromMs < range.toMs) return range;
  throw new UserError(reportSentences.rangeEmpty(since ?? "the beginning", until ?? "now"));
}

/** In milliseconds since 1970, by the last change of a file. */
function findNewestRecord(folder: string, toMs: number): number | undefined {
  const files = [findMachineSources(folder, -Infinity), findMachineImports(folder, -Infinity)];
  const times = files
    .flatMap(({ sources }) => sources)
    .map(({ file }) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
    .filter((ms) => ms < toMs);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}
