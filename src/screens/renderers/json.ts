import { safeJson } from "#kit/text/unsafe-text.ts";

export function renderJson(data: unknown): string {
  return `${safeJson(data, 2)}\n`;
}
