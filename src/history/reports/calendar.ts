import { parseAge } from "#kit/text/numbers.ts";

// A day without a clock change.
export const dayMs = 86_400_000;

const hoursPerDay = 24;

export type DayNumber = number;

export function formatDay(day: DayNumber): string {
  return new Date(day * dayMs).toISOString().replace(/T.*$/, "");
}

export function findWeekStart(day: DayNumber): DayNumber {
  // 1970-01-01 was a Thursday.
  return day - ((((day + 3) % 7) + 7) % 7);
}

export function formatMonth(day: DayNumber): string {
  return formatDay(day).replace(/-\d+$/, "");
}

export function parseDay(text: string): DayNumber | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const isShort = text.length === 8;
  if (!isShort && text.length !== 10) return undefined;
  const date = `${year}-${month}-${day}`;
  const ms = Date.parse(date);
  return Number.isNaN(ms) || formatDay(ms / dayMs) !== date ? undefined : ms / dayMs;
}

// Record files may claim any day.
export const zoneDaysMax = 20_000;

type DayOffsets = { readonly changeMs: number; readonly before: number; readonly after: number };

const offsetLimitMs = 16 * 3_600_000;

// Caches offsets, because formatting a date takes microseconds.
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, DayOffsets>();
  // Consecutive records usually share their UTC day.
  #newestDay = Number.NaN;
  #newest: DayOffsets = { changeMs: 0, before: 0, after: 0 };

  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    this.name = this.#format.resolvedOptions().timeZone;
  }

  findDay(ms: number): DayNumber {
    return Math.floor((ms + this.#findOffset(ms)) / dayMs);
  }

  findHour(ms: number): number {
    const localMs = ms + this.#findOffset(ms);
    return Math.floor((localMs - this.findDay(ms) * dayMs) / (dayMs / hoursPerDay));
  }

  findDayStart(day: DayNumber): number {
    let [before, from] = [day * dayMs - offsetLimitMs, day * dayMs + offsetLimitMs];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (this.findDay(middle) >= day) from = middle;
      else before = middle;
    }
    return from;
  }

  formatMinute(ms: number): string {
    return new Date(ms + this.#findOffset(ms)).toISOString().slice(0, 16).replace("T", " ");
  }

  #findOffset(ms: number): number {
    const day = Math.floor(ms / dayMs);
    if (day !== this.#newestDay) {
      this.#newest = this.#findOffsets(day);
      this.#newestDay = day;
    }
    const { changeMs, before, after } = this.#newest;
    return ms < changeMs ? before : after;
  }

  #findOffsets(day: number): DayOffsets {
    const known = this.#days.get(day);
    if (known) return known;
    if (this.#days.size >= zoneDaysMax) this.#days.clear();
    const offsets = this.#measureOffsets(day * dayMs, (day + 1) * dayMs);
    this.#days.set(day, offsets);
    return offsets;
  }

  #measureOffsets(fromMs: number, toMs: number): DayOffsets {
    const [before, after] = [this.#computeOffset(fromMs), this.#computeOffset(toMs)];
    if (before === after) return { changeMs: fromMs, before, after };
    let [last, first] = [fromMs, toMs];
    while (first - last > 1) {
      const middle = Math.floor((last + first) / 2);
      if (this.#computeOffset(middle) === before) last = middle;
      else first = middle;
    }
    return { changeMs: first, before, after };
  }

  #computeOffset(ms: number): number {
    const parts = new Map(this.#format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const readPart = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const year = parts.get("era") === "BC" ? 1 - readPart("year") : readPart("year");
    const local = new Date(0);
    local.setUTCFullYear(year, readPart("month") - 1, readPart("day"));
    local.setUTCHours(readPart("hour"), readPart("minute"), readPart("second"));
    return local.getTime() - Math.floor(ms / 1000) * 1000;
  }
}

/** From `fromMs` to before `toMs`, in milliseconds since 1970 UTC; infinite if open. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

export type RawRange = { readonly since: string | undefined; readonly until: string | undefined };

export function isRangeEnd(text: string): boolean {
  return parseDay(text) !== undefined || parseAge(text) !== undefined;
}

export function parseRange({ since, until }: RawRange, zone: TimeZone, nowMs: number): TimeRange {
  return {
    fromMs: since === undefined ? -Infinity : parseEnd(since, 0, zone, nowMs),
    toMs: until === undefined ? Infinity : parseEnd(until, 1, zone, nowMs),
  };
}

export function findLastDays(days: number, zone: TimeZone, nowMs: number): TimeRange {
  return { fromMs: startLastDays(days, zone, nowMs), toMs: nowMs + 1 };
}

function startLastDays(days: number, zone: TimeZone, nowMs: number): number {
  return zone.findDayStart(zone.findDay(nowMs) - (days - 1));
}

/** Keeps the times of day, so that an unfinished day compares with the same part of an earlier one. */
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

export function findRange(ranges: readonly TimeRange[], ms: number): number {
  return ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}

const earliestMs = Date.parse("0000-01-01T00:00:00.000Z");

function parseEnd(text: string, daysToAdd: number, zone: TimeZone, nowMs: number): number {
  const day = parseDay(text);
  if (day !== undefined) return zone.findDayStart(day + daysToAdd);
  const [, count = "", unit] = /^(\d+)([dw])$/.exec(text) ?? [];
  const days = Number(count) * (unit === "w" ? 7 : 1);
  // The last local days, including today.
  if (unit !== undefined) return Math.max(startLastDays(days, zone, nowMs), earliestMs);
  return Math.max(nowMs - (parseAge(text) ?? 0), earliestMs);
}

// RFC 3339. A time without a zone would depend on the reader's machine.
const dateTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const minuteMs = 60_000;

// Between these times, local days and weeks have four-digit years in every zone.
const earliestInstantMs = Date.parse("0001-01-02T00:00:00.000Z");
const latestMs = Date.parse("9999-12-31T00:00:00.000Z");

export class InstantReader {
  #hour = "";
  #hourMs = Number.NaN;

  /** Milliseconds since 1970 UTC; NaN unless the text is a time in the years 1 to 9999. */
  read(text: string): number {
    const isKnown = text.length === 24 && this.#hour !== "" && text.startsWith(this.#hour);
    const restMs = isKnown ? parseRestOfHour(text) : Number.NaN;
    return Number.isNaN(restMs) ? this.#parse(text) : this.#hourMs + restMs;
  }

  #parse(text: string): number {
    if (!dateTime.test(text)) return Number.NaN;
    const ms = Date.parse(text);
    if (!(ms >= earliestInstantMs && ms < latestMs)) return Number.NaN;
    const hour = text.slice(0, 13);
    const hourMs = Date.parse(`${hour}:00:00.000Z`);
    if (text.endsWith("Z") && !Number.isNaN(hourMs)) [this.#hour, this.#hourMs] = [hour, hourMs];
    return ms;
  }
}

function parseRestOfHour(text: string): number {
  const hasSeparators =
    text.charAt(13) === ":" &&
    text.charAt(16) === ":" &&
    text.charAt(19) === "." &&
    text.charAt(23) === "Z";
  const [minutes, seconds] = [parseTwoDigits(text, 14), parseTwoDigits(text, 17)];
  const ms = parseDigit(text, 20) * 100 + parseTwoDigits(text, 21);
  return hasSeparators && minutes < 60 && seconds < 60
    ? minutes * minuteMs + seconds * 1000 + ms
    : Number.NaN;
}

function parseTwoDigits(text: string, at: number): number {
  return parseDigit(text, at) * 10 + parseDigit(text, at + 1);
}

function parseDigit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

type Period = {
  readonly [name in "since" | "until" | "first" | "last"]: string | null;
};

export function describePeriod({ fromMs, toMs }: TimeRange, zone: TimeZone): Period {
  const isWhole = (ms: number): boolean => zone.findDayStart(zone.findDay(ms)) === ms;
  const formatEnd = (ms: number, isDay: boolean): string =>
    isDay ? formatDay(zone.findDay(ms)) : zone.formatMinute(ms);
  return {
    since: fromMs === -Infinity ? null : new Date(fromMs).toISOString(),
    until: toMs === Infinity ? null : new Date(toMs).toISOString(),
    first: fromMs === -Infinity ? null : formatEnd(fromMs, isWhole(fromMs)),
    last: toMs === Infinity ? null : formatEnd(toMs - 1, isWhole(toMs)),
  };
}
