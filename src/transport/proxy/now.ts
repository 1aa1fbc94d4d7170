import type { Instant } from "#meter/calls/instant.ts";

/** Budgets follow the wall clock, also after a night asleep; durations must not jump with it. */
export function now(): Instant {
  return { monoMs: performance.now(), wallMs: Date.now() };
}
