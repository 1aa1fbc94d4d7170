import type { Summary } from "#records/summary.ts";
import { safeJson } from "#text/unsafe-text.ts";

/** The summary as one JSON object, safe on a screen. */
export function renderJson(summary: Summary): string {
  return `${safeJson(summary, 2)}\n`;
}
