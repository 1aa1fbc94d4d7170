import { parseAge } from "#kit/text/durations.ts";
import { formatDay, parseDay, type TimeZone } from "./calendar.ts";

/** From `fromMs` to before `toMs`, in milliseconds since 1970 UTC; infinite on a side without a bound. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

export type RawRange = { readonly since: string | undefined; readonly until: string | undefined };

export function isRangeBound(text: string): boolean {
  return parseDay(text) !== undefined || parseAge(text) !== undefined;
}

export function parseRange({ since, until }: RawRange, zone: TimeZone, nowMs: number): TimeRange {
  return {
    fromMs: since === undefined ? -Infinity : parseBound(since, 0, zone, nowMs),
    toMs: until === undefined ? Infinity : parseBound(until, 1, zone, nowMs),
  };
}

export function findLastDays(days: number, zone: TimeZone, nowMs: number): TimeRange {
  return { fromMs: findLastDaysStart(days, zone, nowMs), toMs: nowMs + 1 };
}

function findLastDaysStart(days: number, zone: TimeZone, nowMs: number): number {
  return zone.findDayStart(zone.findDay(nowMs) - (days - 1));
}

/**
 * If a range begins at midnight, moves it back by whole days. An unfinished day is then compared with the same hours of
 * an earlier day. For any other range with a beginning, returns the equally long range directly before it.
 */
export function findRangeBefore(
  { fromMs, toMs: rawToMs }: TimeRange,
  zone: TimeZone,
  nowMs: number,
): TimeRange | undefined {
  if (fromMs === -Infinity) return undefined;
  const toMs = rawToMs === Infinity ? Math.max(nowMs + 1, fromMs) : rawToMs;
  const days = zone.findDay(toMs - 1) - zone.findDay(fromMs) + 1;
  const isFromMidnight = zone.findDayStart(zone.findDay(fromMs)) === fromMs;
  if (!isFromMidnight) return { fromMs: 2 * fromMs - toMs, toMs: fromMs };
  const shift = (ms: number): number => {
    const day = zone.findDay(ms);
    return zone.findDayStart(day - days) + (ms - zone.findDayStart(day));
  };
  return { fromMs: shift(fromMs), toMs: Math.min(shift(toMs), fromMs) };
}

export function isInRange({ fromMs, toMs }: TimeRange, ms: number): boolean {
  return ms >= fromMs && ms < toMs;
}

export function findRangeIndex(ranges: readonly TimeRange[], ms: number): number {
  return ranges.findIndex((range) => isInRange(range, ms));
}

const earliestMs = Date.parse("0000-01-01T00:00:00.000Z");

function parseBound(text: string, daysToAdd: number, zone: TimeZone, nowMs: number): number {
  const day = parseDay(text);
  if (day !== undefined) return zone.findDayStart(day + daysToAdd);
  const [, count = "", unit] = /^(\d+)([dw])$/.exec(text) ?? [];
  const days = Number(count) * (unit === "w" ? 7 : 1);
  // An age in days or weeks means whole days in `zone`, including today.
  if (unit !== undefined) return Math.max(findLastDaysStart(days, zone, nowMs), earliestMs);
  return Math.max(nowMs - (parseAge(text) ?? 0), earliestMs);
}

type Period = {
  readonly [name in "since" | "until" | "first" | "last"]: string | null;
};

export function describePeriod({ fromMs, toMs }: TimeRange, zone: TimeZone): Period {
  const isDayStart = (ms: number): boolean => zone.findDayStart(zone.findDay(ms)) === ms;
  const formatBound = (ms: number, showsOnlyDay: boolean): string =>
    showsOnlyDay ? formatDay(zone.findDay(ms)) : zone.formatMinute(ms);
  return {
    since: fromMs === -Infinity ? null : new Date(fromMs).toISOString(),
    until: toMs === Infinity ? null : new Date(toMs).toISOString(),
    first: fromMs === -Infinity ? null : formatBound(fromMs, isDayStart(fromMs)),
    last: toMs === Infinity ? null : formatBound(toMs - 1, isDayStart(toMs)),
  };
}
