import { expect } from "bun:test";
import type { MeterRecord } from "#records/record.ts";
import {
  type Axis,
  axes,
  type UsageBlock,
  type UsageReport,
  type UsageRow,
} from "#history/reports/usage-report.ts";
import { makeReport, type ReportPlan } from "#history/reports/make-report.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { type MadeNumbers, madeUsage } from "./made-usage.ts";
import { usageFacts, usagePlan } from "./usage-facts.ts";

export const by = (...names: readonly Axis[]): ReportPlan["tables"][number] => ({
  by: names,
  order: undefined,
  top: undefined,
});

export const everyTable = axes.flatMap((one) => [
  by(one),
  ...axes.flatMap((other) =>
    other === one ? [] : [by(one, other), { ...by(one, other), top: 2 }],
  ),
]);

const additive = [
  "calls",
  "errors",
  "refused",
  "cancelled",
  "abandoned",
  "repeated_calls",
  "repeated_tokens",
  "input_tokens",
  "output_tokens",
  "wire_tokens",
  "refused_tokens",
  "duplicate_tokens",
  "definition_lists",
  "listed_tokens",
  "resident_tokens",
  "loaded_tokens",
  "list_changes",
  "rewritten_tokens",
  "total_tokens",
  "context_tokens",
] as const;

function expectPartsToAddUp({ totals, tables }: UsageBlock): void {
  for (const { by: names, rows } of tables) {
    const sumOf = (pick: (row: UsageRow) => number): number =>
      rows.reduce((sum, row) => sum + pick(row), 0);
    const sums = additive.map((member) => [member, sumOf((row) => row[member])]);
    expect([names, sums]).toEqual([names, additive.map((member) => [member, totals[member]])]);
    expect(Math.max(...rows.map((row) => row.max_tokens))).toBe(totals.max_tokens);
    expect(sumOf((row) => row.share)).toBeCloseTo(1, 9);
  }
}

export function reportOf(
  records: readonly MeterRecord[],
  changes: Partial<ReportPlan> = {},
): UsageReport {
  const plan = usagePlan({ tables: [by("day")], ...changes });
  return makeReport(usageFacts(records, plan.zone), plan);
}

function shuffled(records: readonly MeterRecord[], numbers: MadeNumbers): MeterRecord[] {
  const order = records.flatMap((record) => (numbers.below(4) === 0 ? [record, record] : [record]));
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = numbers.below(at + 1);
    const [moved] = order.splice(other, 1);
    if (moved) order.push(moved);
  }
  return order;
}

export function expectReportToHold(numbers: MadeNumbers, tables: ReportPlan["tables"]): void {
  const zone = new TimeZone("America/New_York");
  const some = madeUsage()
    .filter(() => numbers.below(3) > 0)
    .flat()
    .filter(() => numbers.below(20) > 0);
  const report = reportOf(some, { zone, tables });
  for (const block of [report.sum, ...report.blocks]) expectPartsToAddUp(block);
  expect(reportOf(shuffled(some, numbers), { zone, tables })).toEqual(report);
}
