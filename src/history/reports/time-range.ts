import { parseAge } from "#kit/text/age.ts";
import { parseDay } from "./calendar.ts";
import type { TimeZone } from "./time-zone.ts";

/** From `fromMs` until before `toMs`, in ms since 1970 UTC; infinite without an end. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

export type RawRange = { readonly since: string | undefined; readonly until: string | undefined };

export function isRangeEnd(text: string): boolean {
  return parseDay(text) !== undefined || parseAge(text) !== undefined;
}

export function rangeBetween({ since, until }: RawRange, zone: TimeZone, nowMs: number): TimeRange {
  return {
    fromMs: since === undefined ? -Infinity : endMs(since, 0, zone, nowMs),
    toMs: until === undefined ? Infinity : endMs(until, 1, zone, nowMs),
  };
}

export function lastDays(days: number, zone: TimeZone, nowMs: number): TimeRange {
  return { fromMs: zone.startOf(zone.dayOf(nowMs) - (days - 1)), toMs: nowMs + 1 };
}

/** At the same times of the day, to compare an unfinished day with the same part of an earlier one; undefined without a beginning. Without an end: now. */
export function rangeBefore(
  { fromMs, toMs: rawToMs }: TimeRange,
  zone: TimeZone,
  nowMs: number,
): TimeRange | undefined {
  if (fromMs === -Infinity) return undefined;
  const toMs = rawToMs === Infinity ? Math.max(nowMs + 1, fromMs) : rawToMs;
  const days = zone.dayOf(toMs - 1) - zone.dayOf(fromMs) + 1;
  const isFromMidnight = zone.startOf(zone.dayOf(fromMs)) === fromMs;
  if (!isFromMidnight) return { fromMs: 2 * fromMs - toMs, toMs: fromMs };
  const shift = (ms: number): number => {
    const day = zone.dayOf(ms);
    return zone.startOf(day - days) + (ms - zone.startOf(day));
  };
  return { fromMs: shift(fromMs), toMs: Math.min(shift(toMs), fromMs) };
}

export function rangeAt(ranges: readonly TimeRange[], ms: number): number {
  return ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}

const earliestMs = Date.parse("0000-01-01T00:00:00.000Z");

function endMs(text: string, laterDays: number, zone: TimeZone, nowMs: number): number {
  const day = parseDay(text);
  if (day !== undefined) return zone.startOf(day + laterDays);
  return Math.max(nowMs - (parseAge(text) ?? 0), earliestMs);
}
