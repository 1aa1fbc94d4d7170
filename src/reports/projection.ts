import { projectionDaysMin } from "#limits.ts";

/** Tokens of the next thirty days at the rate of the days before. */
export type Projection = {
  /** Whole days that it is made from, those without calls included. */
  readonly days: number;
  readonly tokens: number;
  /** Nine of ten months are between these, if days stay as they were and do not depend on each other. */
  readonly low: number;
  readonly high: number;
};

const monthDays = 30;

/** Nine tenths of a normal distribution are within that many standard deviations of its mean. */
const deviations = 1.645;

/**
 * Projects a month from the tokens of whole days, those without calls as 0. Undefined for fewer than seven days, which may
 * lack a weekend. The spread has two parts: days differ from their mean, and the mean itself is of few days.
 */
export function projectMonth(tokensByDay: readonly number[]): Projection | undefined {
  const days = tokensByDay.length;
  if (days < projectionDaysMin) return undefined;
  const mean = tokensByDay.reduce((sum, tokens) => sum + tokens, 0) / days;
  const variance = tokensByDay.reduce((sum, tokens) => sum + (tokens - mean) ** 2, 0) / (days - 1);
  const spread = deviations * Math.sqrt(variance * (monthDays + monthDays ** 2 / days));
  const tokens = mean * monthDays;
  return {
    days,
    tokens: Math.round(tokens),
    low: Math.round(Math.max(0, tokens - spread)),
    high: Math.round(tokens + spread),
  };
}
