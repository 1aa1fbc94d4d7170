import { DashModel } from "#screens/dash/model/model.ts";
import type { ViewContext } from "#screens/dash/views/scope.ts";
import type { ViewChoice } from "#screens/dash/view.ts";
import type { MeterRecord } from "#records/record.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { madeUsage } from "./made-usage.ts";

export const dashNowMs = Date.parse("2026-11-13T20:00:00.000Z");

export function dashModel(
  records: readonly MeterRecord[] = madeUsage().flat(),
  zone = "Europe/Berlin",
  fromMs = Date.parse("2025-12-31T23:00:00.000Z"),
  nowMs = dashNowMs,
): DashModel {
  const model = new DashModel({ zone: new TimeZone(zone), fromMs, nowMs });
  for (const record of records) model.add(record);
  return model;
}

export function viewSetting(changes: Partial<ViewContext> = {}): ViewContext {
  return { nowMs: dashNowMs, notes: [], counters: [], locks: [], ...changes };
}

export function viewChoice(changes: Partial<ViewChoice> = {}): ViewChoice {
  return { screen: "overview", period: "all", ...changes };
}
