import { lessCertain } from "#records/certainty.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { fitsWildcard } from "#text/wildcard.ts";
import type { PriceBook } from "#money/price-book.ts";
import type { Axis } from "./axes.ts";
import { dayText } from "./calendar.ts";
import { listMethod, type UsageFact } from "./cube.ts";
import { priceFacts } from "./price-facts.ts";
import { makeTable, type RowChoice } from "./make-table.ts";
import { RowGroup } from "./row-group.ts";
import { toolName } from "./row-keys.ts";
import type { TimeRange } from "./time-range.ts";
import type { TimeZone } from "./time-zone.ts";
import type { UsageBlock, UsageReport } from "./usage-report.ts";

/** Patterns of names, one of which must match; an empty list matches all. */
export type NameFilters = {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly clients: readonly string[];
};

/** One table: its axes, at least one, and its rows. */
export type TablePlan = RowChoice & { readonly by: readonly Axis[] };

/** The shape of a report. */
export type ReportPlan = {
  readonly tables: readonly TablePlan[];
  readonly filters: NameFilters;
  readonly range: TimeRange;
  readonly zone: TimeZone;
  /** Prices of models, where costs are wanted. */
  readonly prices?: PriceBook | undefined;
};

/** The report of the facts of its period: a block for each estimator. */
export function makeReport(facts: readonly UsageFact[], plan: ReportPlan): UsageReport {
  const { range, zone } = plan;
  const wanted = facts.filter((fact) => fact.range === 0 && isWanted(fact, plan.filters));
  const priced = plan.prices && priceFacts(wanted, plan.prices);
  return {
    schema_version: "1.0",
    ...periodOf(range, zone),
    timezone: zone.name,
    blocks: byEstimator(priced?.facts ?? wanted).map((part) => makeBlock(part, plan)),
    ...(priced ? { cost: priced.cost } : {}),
  };
}

/** Both ends of a period, in UTC and in its time zone. */
export function periodOf(
  { fromMs, toMs }: TimeRange,
  zone: TimeZone,
): Pick<UsageReport, "since" | "until" | "first" | "last"> {
  const isWhole = (ms: number): boolean => zone.startOf(zone.dayOf(ms)) === ms;
  const textAt = (ms: number, isDay: boolean): string =>
    isDay ? dayText(zone.dayOf(ms)) : zone.minuteText(ms);
  return {
    since: fromMs === -Infinity ? null : new Date(fromMs).toISOString(),
    until: toMs === Infinity ? null : new Date(toMs).toISOString(),
    first: fromMs === -Infinity ? null : textAt(fromMs, isWhole(fromMs)),
    last: toMs === Infinity ? null : textAt(toMs - 1, isWhole(toMs)),
  };
}

/** Facts of one estimator. */
type EstimatorPart = {
  readonly estimation: SummaryEstimation | null;
  readonly facts: UsageFact[];
};

function makeBlock({ estimation, facts }: EstimatorPart, plan: ReportPlan): UsageBlock {
  const total = new RowGroup();
  for (const fact of facts) total.add(fact);
  const all = total.contextTokens;
  return {
    estimation,
    totals: total.measures(all),
    tables: plan.tables.map((table) => makeTable(table.by, facts, all, table)),
  };
}

function isWanted({ session, server, method, tool }: UsageFact, filters: NameFilters): boolean {
  const { servers, tools, clients } = filters;
  // The definitions of all tools together are not those of a tool.
  if (tools.length > 0 && method === listMethod) return false;
  return (
    fitsAny(servers, server) &&
    fitsAny(tools, toolName(method, tool)) &&
    fitsAny(clients, session.client ?? "")
  );
}

function fitsAny(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => fitsWildcard(pattern, name));
}

/** The facts by estimator, in the order of their names; those of unknown ones last. */
function byEstimator(facts: readonly UsageFact[]): EstimatorPart[] {
  const parts = new Map<string, { estimation: SummaryEstimation | null; facts: UsageFact[] }>();
  let newest: UsageFact["session"] | undefined;
  for (const fact of facts) {
    const { estimation } = fact.session;
    const key = estimation?.estimator ?? "";
    const part = parts.get(key) ?? { estimation: null, facts: [] };
    parts.set(key, part);
    if (fact.session !== newest) part.estimation = lessCertain(part.estimation, estimation);
    newest = fact.session;
    part.facts.push(fact);
  }
  const unknown = parts.get("");
  parts.delete("");
  const named = [...parts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [...named.map(([, part]) => part), ...(unknown ? [unknown] : [])];
}
