import type { UsageReport } from "#reports/usage-report.ts";

/** The period of a report in words: `2026-11-16 to 2026-11-22, Europe/Berlin`. */
export function periodText({
  first,
  last,
  timezone,
}: Pick<UsageReport, "first" | "last" | "timezone">): string {
  if (first === null && last === null) return `all days, ${timezone}`;
  if (first === null) return `all days to ${last}, ${timezone}`;
  if (last === null) return `${first} until now, ${timezone}`;
  return first === last ? `${first}, ${timezone}` : `${first} to ${last}, ${timezone}`;
}
