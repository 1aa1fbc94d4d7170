import { zoneDaysMax } from "#limits/records.ts";
import { dayMs, type DayNumber } from "./calendar.ts";

/** The offset from UTC during one day of UTC: `before` until the moment `changeMs`, `after` from then on. */
type DayOffsets = { readonly changeMs: number; readonly before: number; readonly after: number };

/** No zone is further from UTC. */
const offsetLimitMs = 16 * 3_600_000;

/** A time zone, which knows the local day of any moment. Offsets are remembered: to format a date takes microseconds. */
export class TimeZone {
  /** Its IANA name, such as `Europe/Berlin`. */
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, DayOffsets>();
  /** The newest day of UTC that was asked for, which that of the next record often is. */
  #newestDay = Number.NaN;
  #newest: DayOffsets = { changeMs: 0, before: 0, after: 0 };

  /** Throws RangeError for a name that is not a time zone. */
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

  /** The local day of a moment in ms since 1970 UTC. */
  dayOf(ms: number): DayNumber {
    return Math.floor((ms + this.#offsetAt(ms)) / dayMs);
  }

  /** The first moment of a local day, in ms since 1970 UTC; of a day that the zone skipped, of the next one. */
  startOf(day: DayNumber): number {
    let [before, from] = [day * dayMs - offsetLimitMs, day * dayMs + offsetLimitMs];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (this.dayOf(middle) >= day) from = middle;
      else before = middle;
    }
    return from;
  }

  /** Local date and time to the minute: `2026-11-22 14:03`. */
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

  /** Finds the moment at which the offset changes between two; a zone changes it at most once a day. */
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
