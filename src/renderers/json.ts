import { safeJson } from "#text/unsafe-text.ts";

/** Data as indented JSON that is safe on a screen. Ends with a newline. */
export function renderJson(data: unknown): string {
  return `${safeJson(data, 2)}\n`;
}
