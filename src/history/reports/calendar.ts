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
  const match = /^(\d{4})(-?)(\d\d)\2(\d\d)$/.exec(text);
  if (!match) return undefined;
  const date = [match[1], match[3], match[4]].join("-");
  const ms = Date.parse(date);
  return Number.isNaN(ms) || formatDay(ms / dayMs) !== date ? undefined : ms / dayMs;
}

// Limits the cache of offsets, because the records may have any date.
export const zoneDaysMax = 20_000;

type DayOffsets = { readonly changeMs: number; readonly before: number; readonly after: number };

const offsetLimitMs = 16 * 3_600_000;

// Caches offsets, because each must be computed from a formatted date, and formatting takes about 3 µs.
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, DayOffsets>();
  // Consecutive records usually share their UTC day.
  #recentDay = Number.NaN;
  #recentOffsets: DayOffsets = { changeMs: 0, before: 0, after: 0 };

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
    if (day !== this.#recentDay) {
      this.#recentOffsets = this.#findOffsets(day);
      this.#recentDay = day;
    }
    const { changeMs, before, after } = this.#recentOffsets;
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
    let [lastBefore, firstAfter] = [fromMs, toMs];
    while (firstAfter - lastBefore > 1) {
      const middle = Math.floor((lastBefore + firstAfter) / 2);
      if (this.#computeOffset(middle) === before) lastBefore = middle;
      else firstAfter = middle;
    }
    return { changeMs: firstAfter, before, after };
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

// RFC 3339. For a time without a zone, Date.parse would assume the zone of this machine.
const dateTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const minuteMs = 60_000;

// Between these times, local days and weeks have four-digit years in every zone.
const earliestInstantMs = Date.parse("0001-01-02T00:00:00.000Z");
const latestInstantMs = Date.parse("9999-12-31T00:00:00.000Z");

// Remembers the hour, because consecutive records usually share it.
export class InstantReader {
  #hour = "";
  #hourMs = Number.NaN;

  /** Milliseconds since 1970 UTC; NaN unless the text is a time within the limits above. */
  read(text: string): number {
    const isKnown = text.length === 24 && this.#hour !== "" && text.startsWith(this.#hour);
    const restMs = isKnown ? parseRestOfHour(text) : Number.NaN;
    return Number.isNaN(restMs) ? this.#parse(text) : this.#hourMs + restMs;
  }

  #parse(text: string): number {
    if (!dateTime.test(text) || parseDay(text.slice(0, 10)) === undefined) return Number.NaN;
    const ms = Date.parse(text);
    if (!(ms >= earliestInstantMs && ms < latestInstantMs)) return Number.NaN;
    const hour = text.slice(0, 13);
    const hourMs = Date.parse(`${hour}:00:00.000Z`);
    const canBeKnown = text.endsWith("Z") && !hour.endsWith("24") && !Number.isNaN(hourMs);
    if (canBeKnown) [this.#hour, this.#hourMs] = [hour, hourMs];
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
