import type { DayNumber, TimeRange, TimeZone } from "./calendar.ts";
import type { UsageFact } from "./usage-fact.ts";
import { sumContextTokens } from "./sums.ts";

// A full week includes a weekend.
export const projectionDaysMin = 7;

// Days with records: a single call says nothing about a rate.
const projectionUsedDaysMin = 3;

export const projectionDaysMax = 90;

export type Projection = {
  readonly days: number;
  readonly tokens: number;
  readonly low: number;
  readonly high: number;
};

const monthDays = 30;

// Covers 90 % of a normal distribution.
const deviations = 1.645;

/** The spread combines the variance of days with that of their mean. */
export function projectMonth(dayTokens: readonly number[]): Projection | undefined {
  const days = dayTokens.length;
  const used = dayTokens.filter((tokens) => tokens > 0).length;
  if (days < projectionDaysMin || used < projectionUsedDaysMin) return undefined;
  const mean = dayTokens.reduce((sum, tokens) => sum + tokens, 0) / days;
  const variance = dayTokens.reduce((sum, tokens) => sum + (tokens - mean) ** 2, 0) / (days - 1);
  const spread = deviations * Math.sqrt(variance * (monthDays + monthDays ** 2 / days));
  const tokens = mean * monthDays;
  return {
    days,
    tokens: Math.round(tokens),
    low: Math.round(Math.max(0, tokens - spread)),
    high: Math.round(tokens + spread),
  };
}

type ProjectedDays = {
  readonly range: TimeRange;
  readonly zone: TimeZone;
  readonly today: DayNumber;
};

export function sumTokensByDay(
  facts: readonly UsageFact[],
  { range, zone, today }: ProjectedDays,
): number[] {
  const sums = new Map<DayNumber, number>();
  for (const { day, sums: daySums } of facts)
    sums.set(day, (sums.get(day) ?? 0) + sumContextTokens(daySums));
  const used = [...sums].flatMap(([day, tokens]) => (tokens > 0 ? [day] : []));
  const first = Math.max(Math.min(...used), findFirstWholeDay(range, zone));
  const last = Math.min(findLastWholeDay(range, zone), today - 1);
  const count = Math.min(last - first + 1, projectionDaysMax);
  if (!(count > 0)) return [];
  return Array.from({ length: count }, (_, at) => sums.get(last - count + 1 + at) ?? 0);
}

function findFirstWholeDay({ fromMs }: TimeRange, zone: TimeZone): number {
  if (fromMs === -Infinity) return -Infinity;
  const day = zone.findDay(fromMs);
  return zone.findDayStart(day) === fromMs ? day : day + 1;
}

function findLastWholeDay({ toMs }: TimeRange, zone: TimeZone): number {
  return toMs === Infinity ? Infinity : zone.findDay(toMs) - 1;
}
