import { dayMs, type DayNumber } from "./calendar.ts";

// A record file may claim any day.
export const zoneDaysMax = 20_000;

type DayOffsets = { readonly changeMs: number; readonly before: number; readonly after: number };

const offsetLimitMs = 16 * 3_600_000;

/** Offsets are cached: formatting a date takes microseconds. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, DayOffsets>();
  /** Consecutive records usually share their day of UTC. */
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

  dayOf(ms: number): DayNumber {
    return Math.floor((ms + this.#offsetAt(ms)) / dayMs);
  }

  startOf(day: DayNumber): number {
    let [before, from] = [day * dayMs - offsetLimitMs, day * dayMs + offsetLimitMs];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (this.dayOf(middle) >= day) from = middle;
      else before = middle;
    }
    return from;
  }

  minuteText(ms: number): string {
    return new Date(ms + this.#offsetAt(ms)).toISOString().slice(0, 16).replace("T", " ");
  }

  #offsetAt(ms: number): number {
    const day = Math.floor(ms / dayMs);
    if (day !== this.#newestDay) {
      this.#newest = this.#offsetsOf(day);
      this.#newestDay = day;
    }
    const { changeMs, before, after } = this.#newest;
    return ms < changeMs ? before : after;
  }

  #offsetsOf(day: number): DayOffsets {
    const known = this.#days.get(day);
    if (known) return known;
    if (this.#days.size >= zoneDaysMax) this.#days.clear();
    const offsets = this.#measure(day * dayMs, (day + 1) * dayMs);
    this.#days.set(day, offsets);
    return offsets;
  }

  #measure(fromMs: number, toMs: number): DayOffsets {
    const [before, after] = [this.#formattedOffset(fromMs), this.#formattedOffset(toMs)];
    if (before === after) return { changeMs: fromMs, before, after };
    let [last, first] = [fromMs, toMs];
    while (first - last > 1) {
      const middle = Math.floor((last + first) / 2);
      if (this.#formattedOffset(middle) === before) last = middle;
      else first = middle;
    }
    return { changeMs: first, before, after };
  }

  #formattedOffset(ms: number): number {
    const parts = new Map(this.#format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
    const local = new Date(0);
    local.setUTCFullYear(year, part("month") - 1, part("day"));
    local.setUTCHours(part("hour"), part("minute"), part("second"));
    return local.getTime() - Math.floor(ms / 1000) * 1000;
  }
}
