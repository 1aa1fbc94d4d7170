import type { Summary } from "#meter/summary.ts";
import { safeJson } from "#wire/unsafe-text.ts";

/** The summary as one JSON object, safe on a screen. */
export function renderJson(summary: Summary): string {
  return `${safeJson(summary, 2)}\n`;
}
