import { parseAge } from "#text/age.ts";
import { parseDay } from "./calendar.ts";
import type { TimeZone } from "./time-zone.ts";

/** Moments from `fromMs` until before `toMs`, in ms since 1970 UTC; without an end it is infinite. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** Both ends of a range as a user wrote them: a date, or a time back from now such as `24h` or `7d`. */
export type RawRange = { readonly since: string | undefined; readonly until: string | undefined };

/** True for the text of an end of a range. */
export function isRangeEnd(text: string): boolean {
  return parseDay(text) !== undefined || parseAge(text) !== undefined;
}

/** The range between two ends. A date stands for its whole day: it begins with the first one and ends after the last. */
export function rangeBetween({ since, until }: RawRange, zone: TimeZone, nowMs: number): TimeRange {
  return {
    fromMs: since === undefined ? -Infinity : endMs(since, 0, zone, nowMs),
    toMs: until === undefined ? Infinity : endMs(until, 1, zone, nowMs),
  };
}

/** The last `days` local days, today as far as it has come. */
export function lastDays(days: number, zone: TimeZone, nowMs: number): TimeRange {
  return { fromMs: zone.startOf(zone.dayOf(nowMs) - (days - 1)), toMs: nowMs + 1 };
}

/**
 * The range of the same length before a range, at the same times of the day, so that a day that is not over is compared
 * with the same part of an earlier one; undefined for a range without a beginning. One without an end ends now.
 */
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

/** Index of the first range that has a moment; -1 when none has. */
export function rangeAt(ranges: readonly TimeRange[], ms: number): number {
  return ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}

/** The first moment of the year 0: an earlier one has no date of ten characters. */
const earliestMs = Date.parse("0000-01-01T00:00:00.000Z");

function endMs(text: string, laterDays: number, zone: TimeZone, nowMs: number): number {
  const day = parseDay(text);
  if (day !== undefined) return zone.startOf(day + laterDays);
  return Math.max(nowMs - (parseAge(text) ?? 0), earliestMs);
}
