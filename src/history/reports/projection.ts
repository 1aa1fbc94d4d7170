import type { DayNumber, TimeRange, TimeZone } from "./calendar.ts";
import type { UsageFact } from "./usage-fact.ts";
import { contextTokens } from "./sums.ts";

// A week has its weekend.
export const projectionDaysMin = 7;

// Days with records: one call long ago has no rate.
const projectionUsedDaysMin = 3;

// Older days say less about the next month.
export const projectionDaysMax = 90;

export type Projection = {
  readonly days: number;
  readonly tokens: number;
  /** Nine of ten months are between these, if days stay as they were and are independent. */
  readonly low: number;
  readonly high: number;
};

const monthDays = 30;

/** Covers nine tenths of a normal distribution. */
const deviations = 1.645;

/**
 * From whole days, those without calls as 0. Undefined for fewer than seven days, which may lack a weekend, and for
 * fewer than three with tokens, which say nothing about a rate. The spread has two parts: days differ from their
 * mean, and the mean itself is of few days.
 */
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

/** From the first day with a fact on; days without facts are 0. */
export function tokensByDay(
  facts: readonly UsageFact[],
  { range, zone, today }: ProjectedDays,
): number[] {
  const sums = new Map<DayNumber, number>();
  for (const { day, sums: daySums } of facts)
    sums.set(day, (sums.get(day) ?? 0) + contextTokens(daySums));
  const used = [...sums].flatMap(([day, tokens]) => (tokens > 0 ? [day] : []));
  const first = Math.max(Math.min(...used), firstWholeDay(range, zone));
  const last = Math.min(lastWholeDay(range, zone), today - 1);
  const count = Math.min(last - first + 1, projectionDaysMax);
  if (!(count > 0)) return [];
  return Array.from({ length: count }, (_, at) => sums.get(last - count + 1 + at) ?? 0);
}

function firstWholeDay({ fromMs }: TimeRange, zone: TimeZone): number {
  if (fromMs === -Infinity) return -Infinity;
  const day = zone.dayOf(fromMs);
  return zone.startOf(day) === fromMs ? day : day + 1;
}

function lastWholeDay({ toMs }: TimeRange, zone: TimeZone): number {
  return toMs === Infinity ? Infinity : zone.dayOf(toMs) - 1;
}
