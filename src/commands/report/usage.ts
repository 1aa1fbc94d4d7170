import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { type DayNumber, formatDay, TimeZone } from "#history/reports/calendar.ts";
import {
  describePeriod,
  findLastDays,
  findRangeBefore,
  parseRange,
  type RawRange,
  type TimeRange,
} from "#history/reports/time-range.ts";
import { makeReport, type NameFilters, type ReportPlan } from "#history/reports/make-report.ts";
import { type TablePlan, describeTool } from "#history/reports/report-rows.ts";
import type { UsageFact } from "#history/reports/usage-cube.ts";
import { type Axis, needsRecords } from "#history/reports/usage-report.ts";
import { renderUsage, type UsageRenderOptions } from "#screens/renderers/render-usage.ts";
import {
  overviewServersMax,
  overviewToolsMax,
  overviewBarsMax,
} from "#screens/renderers/documents/overview.ts";
import { trendRowsMax } from "#screens/renderers/documents/usage-columns.ts";
import { formatSuggestion } from "#kit/sentences.ts";
import { findNearestName, isWildcard } from "#kit/text/match-names.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { formatPeriod, noteNameColumnsMax } from "#screens/renderers/documents/shared-texts.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import type { Tell } from "#kit/text/teller.ts";
import { measurePage } from "../output/output-options.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import { chooseMachineToShow } from "#state/storage/identity/machine-id.ts";
import { defaultDays, parseUsage, type ReportOptions, type UsageOptions } from "./options.ts";
import { findLimits, findMachineSources, readUsage, findMachineImports } from "./read-usage.ts";
import { statSync } from "node:fs";
import { reportSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { reportEstimatorsMax } from "#records/ledger.ts";

const defaultTables: readonly Pick<TablePlan, "by" | "top">[] = [
  { by: ["day"], top: undefined },
  { by: ["server"], top: 10 },
  { by: ["tool"], top: 10 },
];

// Sentences passed to `tell` are printed below the report.
export type ReportContext = { readonly nowMs: number; readonly tell: Tell };

export async function renderUsageReport(
  options: ReportOptions,
  io: Io,
  { nowMs, tell }: ReportContext,
): Promise<string> {
  const { files, usage = parseUsage({}) } = options;
  const scope = chooseScope(options, usage, nowMs);
  const { by, filters, showsResent } = usage;
  const { zone, range, rangeBefore, showsAdvice } = scope;
  const prices = await openReportPrices(options, showsAdvice, nowMs);
  const ranges = rangeBefore ? [range, rangeBefore] : [range];
  const plan = { ranges, zone, nowMs, needsRecords: needsRecords(by), prices, showsAdvice, by };
  const read = await readUsage(files, plan, io, { tell });
  const report = makeReport(read.facts, {
    ...planReport(usage, scope, nowMs),
    prices,
    sortsByCost: options.isCosted && by.length > 0,
    showsResent,
    daysLeftOut: read.daysLeftOut,
    // A filter splits a conversation, whose cost is known only as a whole.
    conversations: isFiltered(filters) ? undefined : read.conversations,
    view: read.view,
  });
  const folder = files.length === 0 ? findStateFolder(io.env) : undefined;
  if (report.blocks.length === 0)
    tellWhyEmpty(read.facts, { range, zone, nowMs, filters, folder }, tell);
  const machine = files.length === 0 ? chooseMachineToShow(options, io.env) : undefined;
  const blocks = report.blocks.slice(0, reportEstimatorsMax);
  const shown = { ...report, blocks, ...(machine === undefined ? {} : { machine }) };
  const { advice, limitsInPlace } =
    read.adviceFold?.advise(filters, await findLimits(files, io)) ?? {};
  const { isCosted } = options;
  const layout = { ...(await measureLayout(options, io)), showsResent, isCosted };
  return renderUsage(options.format, shown, { ...layout, advice, limitsInPlace });
}

function rejectUnpricedModel(
  model: string | undefined,
  prices: PriceBook | undefined,
  nowMs: number,
): void {
  if (model === undefined) return;
  if (!prices) throw new UserError(commandSentences.optionRequires("model", "cost"));
  if (!prices.find(model, new Date(nowMs).toISOString()))
    throw new UserError(reportSentences.modelUnpriced(model));
}

type ReportScope = {
  readonly zone: TimeZone;
  readonly range: TimeRange;
  readonly rangeBefore: TimeRange | undefined;
  readonly isOverview: boolean;
  readonly showsAdvice: boolean;
  readonly isBrief: boolean;
  /** Undefined if the user names files. Then a trend without --until ends on the day of their newest record. */
  readonly today: DayNumber | undefined;
};

function chooseScope(
  { files, format, isWide, timezone }: ReportOptions,
  { by, hasTrend, range: raw }: UsageOptions,
  nowMs: number,
): ReportScope {
  const zone = openTimeZone(timezone);
  const isBrief = !isWide && (format === "table" || format === "markdown");
  const hasChosenRows = hasTrend || by.length > 0;
  const showsAdvice = !hasChosenRows;
  const isOverview = showsAdvice && format !== "json";
  const range = resolveRange(raw, files.length > 0 ? undefined : defaultDays, zone, nowMs);
  const rangeBefore = hasTrend || isOverview ? findRangeBefore(range, zone, nowMs) : undefined;
  const today = files.length > 0 ? undefined : zone.findDay(nowMs);
  return { zone, range, rangeBefore, isOverview, showsAdvice, isBrief, today };
}

async function openReportPrices(options: ReportOptions, showsAdvice: boolean, nowMs: number) {
  const priceOptions = showsAdvice ? { ...options, isCosted: true } : options;
  const prices = await openPrices(priceOptions, await readNamedPrices(priceOptions));
  rejectUnpricedModel(options.usage?.model, prices, nowMs);
  return prices;
}

function planReport(
  usage: UsageOptions,
  { zone, range, rangeBefore, isOverview, isBrief, today }: ReportScope,
  nowMs: number,
): ReportPlan {
  const { filters, hasTrend, model, top } = usage;
  return {
    tables:
      isOverview && isBrief
        ? planOverview(usage, chooseBarAxis(range, zone, nowMs))
        : planTables(usage),
    filters,
    range,
    zone,
    trend:
      hasTrend && rangeBefore
        ? { before: rangeBefore, top: isBrief ? (top ?? trendRowsMax) : top, today }
        : undefined,
    before: isOverview ? rangeBefore : undefined,
    model,
  };
}

function tellWhyEmpty(
  facts: readonly UsageFact[],
  { folder, ...period }: FilteredPeriod & ReportedPeriod & { readonly folder: string | undefined },
  tell: Tell,
): void {
  if (facts.length > 0) return tell(describeNoMatch(facts, period));
  if (folder !== undefined) tell(explainMissingRecords(folder, period));
}

const namesShownMax = 10;

export function describeNoMatch(
  facts: readonly UsageFact[],
  { range, zone, filters }: FilteredPeriod,
): string {
  const servers = facts.map(({ server }) => server);
  const clients = facts.map(({ session: { client } }) => client ?? "");
  const tools = facts.map(({ method, tool }) => describeTool(method, tool));
  const unknown =
    describeUnknown("tool", filters.tools, tools) ??
    describeUnknown("server", filters.servers, servers) ??
    describeUnknown("client", filters.clients.map(nameClient), clients);
  const period = formatPeriod({ ...describePeriod(range, zone), timezone: zone.name });
  const known = [
    ...(filters.tools.length > 0 ? [["tools", listNames(tools)] as const] : []),
    ["servers", listNames(servers)] as const,
    ["clients", listNames(clients)] as const,
  ].flatMap(([kind, names]) => (names === "" ? [] : [`${kind}: ${names}`]));
  return reportSentences.noMatch(period, unknown, known.join("; "));
}

type FilteredPeriod = Pick<ReportScope, "range" | "zone"> & { readonly filters: NameFilters };

function describeUnknown(
  kind: "tool" | "server" | "client",
  patterns: readonly string[],
  names: readonly string[],
): string | undefined {
  const unknown = patterns.find((pattern) => !isWildcard(pattern) && !names.includes(pattern));
  if (unknown === undefined) return undefined;
  const nearest = findNearestName(unknown, names) ?? names.find((name) => isPrefix(unknown, name));
  const suggestion = formatSuggestion(nearest && listNames([nearest]));
  return `no ${kind} is named "${listNames([unknown])}"${suggestion}`;
}

const prefixCharactersMin = 3;

function isPrefix(prefix: string, name: string): boolean {
  return prefix.length >= prefixCharactersMin && name.startsWith(prefix);
}

function listNames(names: readonly string[]): string {
  const known = [...new Set(names)].filter((name) => name !== "");
  const shown = known
    .slice(0, namesShownMax)
    .map((name) => makeSafeName(name, noteNameColumnsMax))
    .join(", ");
  const more = known.length - namesShownMax;
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown;
}

export type ReportedPeriod = Pick<ReportScope, "range" | "zone"> & { readonly nowMs: number };

const daysBeforeNewest = 6;

export function explainMissingRecords(
  folder: string,
  { range, zone, nowMs }: ReportedPeriod,
): string {
  const ms = findLatestChangeMs(folder, range.fromMs);
  if (ms === undefined) {
    const isEmpty = findLatestChangeMs(folder, Infinity) === undefined;
    if (isEmpty) return reportSentences.noRecordsYet();
    return range.toMs <= nowMs ? reportSentences.endTooEarly() : reportSentences.beginTooLate();
  }
  const day = zone.findDay(ms);
  // Suggests several days, because the newest record may have no tokens.
  return reportSentences.recordsAreOlder(formatDay(day), formatDay(day - daysBeforeNewest));
}

function isFiltered({ servers, tools, clients }: NameFilters): boolean {
  return servers.length + tools.length + clients.length > 0;
}

async function measureLayout(options: ReportOptions, io: Io): Promise<UsageRenderOptions> {
  const { isWide, output } = options;
  const isTerminal = output === undefined && io.stdout.isTerminal;
  return { ...(await measurePage(options, io.stdout, io.env)), isWide, isTerminal };
}

function planTables({ by, top, order, hasTrend }: UsageOptions): readonly TablePlan[] {
  if (by.length > 0) return [{ by, top, order }];
  if (hasTrend) return [];
  return defaultTables.map((table) => ({ ...table, top: top ?? table.top, order }));
}

function planOverview({ top, order }: UsageOptions, barAxis: Axis): readonly TablePlan[] {
  return [
    { by: ["server"], top: top ?? overviewServersMax, order },
    { by: ["tool"], top: top ?? overviewToolsMax, order },
    { by: [barAxis], top: undefined, order },
  ];
}

function chooseBarAxis({ fromMs, toMs }: TimeRange, zone: TimeZone, nowMs: number): Axis {
  const days = zone.findDay(Math.min(toMs - 1, nowMs)) - zone.findDay(Math.max(fromMs, 0)) + 1;
  if (days <= overviewBarsMax) return "day";
  return days <= 7 * overviewBarsMax ? "week" : "month";
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
  daysByDefault: number | undefined,
  zone: TimeZone,
  nowMs: number,
): TimeRange {
  const { since, until } = raw;
  if (since === undefined && until === undefined && daysByDefault !== undefined) {
    return findLastDays(daysByDefault, zone, nowMs);
  }
  const range = parseRange(raw, zone, nowMs);
  if (range.fromMs > nowMs) throw new UserError(reportSentences.rangeInFuture(since ?? ""));
  if (range.fromMs < range.toMs) return range;
  throw new UserError(reportSentences.rangeEmpty(since ?? "the beginning", until ?? "now"));
}

/** The latest mtime of all record files, ignoring those at or after `toMs`. */
function findLatestChangeMs(folder: string, toMs: number): number | undefined {
  const files = [findMachineSources(folder, -Infinity), findMachineImports(folder, -Infinity)];
  const times = files
    .flatMap(({ sources }) => sources)
    .map(({ file }) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
    .filter((ms) => ms < toMs);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}
