import type { UsageReport } from "#history/reports/usage-report.ts";

export function periodText(report: Pick<UsageReport, "first" | "last" | "timezone">): string {
  return `${daysText(report)}, ${report.timezone}`;
}

export function daysText({ first, last }: Pick<UsageReport, "first" | "last">): string {
  if (first === null && last === null) return "all days";
  if (first === null) return `all days to ${last}`;
  if (last === null) return `${first} until now`;
  return first === last ? first : `${first} to ${last}`;
}
