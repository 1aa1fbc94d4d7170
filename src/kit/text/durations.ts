import { formatCount, formatSignificant } from "./numbers.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const unitMs: { readonly [unit: string]: number } = {
  s: second,
  m: minute,
  h: hour,
  d: day,
  w: 7 * day,
};

// A day is 24 hours here. In the time ranges of reports, it is a calendar day (history/reports/time-range.ts).
export function parseAge(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitMs[unit] ?? 0);
}

export function formatInSeconds(ms: number): string {
  if (ms < 1000) return `${formatSignificant(ms)} ms`;
  const seconds = ms / 1000;
  return `${seconds < 1000 ? Number(seconds.toPrecision(3)) : formatCount(seconds)} s`;
}

export function formatElapsed(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (Math.round(ms) < second) return `${Math.round(ms)} ms`;
  const seconds = ms / second;
  if (Math.round(seconds) < 60) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  if (ms < hour) return formatTwoUnits(Math.max(ms, minute), [minute, "min"], [second, "s"]);
  return ms < day
    ? formatTwoUnits(ms, [hour, "h"], [minute, "min"])
    : formatTwoUnits(ms, [day, "d"], [hour, "h"]);
}

// Rounds up, so that the wait is over when the printed time has passed.
export function formatTimeLeft(ms: number): string {
  const unit = ms <= hour ? second : ms <= day ? minute : hour;
  return ms <= 0 ? "0 s" : formatElapsed(Math.ceil(ms / unit) * unit);
}

type TimeUnit = readonly [ms: number, name: string];

function formatTwoUnits(
  ms: number,
  [large, largeName]: TimeUnit,
  [small, smallName]: TimeUnit,
): string {
  const largeCount = Math.floor(ms / large);
  const smallCount = Math.floor((ms % large) / small);
  return smallCount === 0
    ? `${largeCount} ${largeName}`
    : `${largeCount} ${largeName} ${smallCount} ${smallName}`;
}
