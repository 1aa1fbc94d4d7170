import type { MeterRecord } from "#records/record.ts";
import { Cube, type UsageFact } from "#history/reports/usage-cube.ts";
import type { NameFilters, ReportPlan } from "#history/reports/make-report.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import type { TimeRange } from "#history/reports/time-range.ts";

export const allTime: TimeRange = { fromMs: -Infinity, toMs: Infinity };

export const noFilters: NameFilters = { servers: [], tools: [], clients: [] };

export function usageFacts(
  records: readonly MeterRecord[],
  zone = new TimeZone("UTC"),
): UsageFact[] {
  const cube = new Cube({ ranges: [allTime], zone });
  for (const record of records) cube.add(record);
  return cube.makeFacts();
}

export function usagePlan(changes: Partial<ReportPlan> & Pick<ReportPlan, "tables">): ReportPlan {
  return {
    filters: noFilters,
    range: allTime,
    zone: new TimeZone("UTC"),
    trend: undefined,
    ...changes,
  };
}
