/** Of a day without a change of the clock. */
export const dayMs = 86_400_000;

export type DayNumber = number;

export function dayText(day: DayNumber): string {
  return new Date(day * dayMs).toISOString().replace(/T.*$/, "");
}

export function weekOf(day: DayNumber): DayNumber {
  // 1970-01-01 was a Thursday.
  return day - ((((day + 3) % 7) + 7) % 7);
}

export function monthText(day: DayNumber): string {
  return dayText(day).replace(/-\d+$/, "");
}

/** `2026-11-22` or `20261122`; undefined for anything else, and for a day that no month has. */
export function parseDay(text: string): DayNumber | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const isShort = text.length === 8;
  if (!isShort && text.length !== 10) return undefined;
  const date = `${year}-${month}-${day}`;
  const ms = Date.parse(date);
  return Number.isNaN(ms) || dayText(ms / dayMs) !== date ? undefined : ms / dayMs;
}
