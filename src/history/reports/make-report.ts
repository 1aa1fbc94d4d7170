import {
  pickLessCertain,
  type AssumedModel,
  type SummaryEstimation,
  type ViewTraffic,
  type CostSummary,
} from "#records/summary.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { toDollars } from "#records/money/turns/turn.ts";
import {
  type ConversationDollars,
  type CountedShare,
  type ServerRent,
  type UsageBlock,
  type UsageNumbers,
  type UsageSum,
  type UsageReport,
} from "./usage-report.ts";
import { type DayNumber, type TimeZone } from "./calendar.ts";
import { describePeriod, type TimeRange } from "./time-range.ts";
import { listMethod } from "./call-kinds.ts";
import { AssumedModels, priceFacts } from "./assumed-models.ts";
import type { UsageFact } from "./usage-cube.ts";
import { makeTrend, type TrendPlan } from "./make-trend.ts";
import { sumCallTokens, sumContextTokens } from "./usage-sums.ts";
import { describeTool, makeTable, measureRent, RowGroup, type TablePlan } from "./report-rows.ts";
import { type ConversationTotals, addRents, type RentTotals } from "./imported/logged-totals.ts";
import { summarizeRemoved } from "./removed-usage.ts";

export type NameFilters = {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly clients: readonly string[];
  readonly estimators?: readonly string[];
};

export type ReportPlan = {
  readonly tables: readonly TablePlan[];
  readonly filters: NameFilters;
  readonly range: TimeRange;
  readonly zone: TimeZone;
  readonly prices?: PriceBook | undefined;
  readonly sortsByCost?: boolean;
  /** Keeps rows whose only tokens in the period are definitions that clients sent again with each request. */
  readonly showsResent?: boolean;
  readonly daysLeftOut?: number;
  readonly conversations?: ConversationTotals | undefined;
  readonly view?: ReadonlyMap<string, ViewTraffic> | undefined;
  readonly trend:
    | (Pick<TrendPlan, "top"> & {
        readonly before: TimeRange;
        /** The last day of a period without an end, unless a fact is newer. */
        readonly today?: DayNumber | undefined;
      })
    | undefined;
  readonly before?: TimeRange | undefined;
  /** Assumed for calls whose model is unknown. */
  readonly model?: string | undefined;
};

export function makeReport(facts: readonly UsageFact[], plan: ReportPlan): UsageReport {
  const { range, zone } = plan;
  const filters = { ...plan.filters, clients: plan.filters.clients.map(nameClient) };
  const wanted = facts.filter((fact) => isWantedFact(fact, filters));
  // Needs all facts, because a filter must not change the price of a call.
  const models = new AssumedModels(facts, plan.model);
  const removed = summarizeRemoved(wanted, plan.daysLeftOut ?? 0);
  const blocks = groupByEstimator(wanted).map(({ estimation, facts: counted }): UsageBlock => {
    return { estimation, ...sumFacts(counted, wanted, plan, models) };
  });
  const sum = sumBlocks(blocks, wanted, plan, models);
  return {
    schema_version: "1.0",
    ...describePeriod(range, zone),
    timezone: zone.name,
    sum,
    ...sumPeriodBefore(wanted, plan),
    blocks,
    ...(plan.prices
      ? { cost: summarizeCost(plan.prices, sum, models.list(wanted.filter(isCurrent))) }
      : {}),
    ...(plan.conversations ? { conversations: priceConversations(plan.conversations) } : {}),
    ...(removed ? { removed } : {}),
    ...sumViewTraffic(plan),
  };
}

function isCurrent({ range }: UsageFact): boolean {
  return range === 0;
}

function summarizeCost(
  { origin }: PriceBook,
  { unpriced = [] }: UsageSum,
  assumed: readonly AssumedModel[],
): CostSummary {
  return { prices: origin, unpriced, ...(assumed.length > 0 ? { assumed } : {}) };
}

// A period may begin with a long weekend without records.
const idleDaysMax = 3;

function sumPeriodBefore(
  facts: readonly UsageFact[],
  { before, zone }: ReportPlan,
): Pick<UsageReport, "before"> {
  if (!before) return {};
  const earlier = facts.filter((fact) => !isCurrent(fact));
  const sumEarlier = (measure: (sums: UsageFact["sums"]) => number): number =>
    earlier.reduce((sum, fact) => sum + measure(fact.sums), 0);
  const firstDay = earlier.reduce((first, { day }) => Math.min(first, day), Infinity);
  const hasImports = facts.some(({ logged }) => (logged?.importedCalls ?? 0) > 0);
  // If only the end of the earlier period has records, even steady usage would look like growth.
  if (firstDay > zone.findDay(before.fromMs) + idleDaysMax) return {};
  return {
    before: {
      ...describePeriod(before, zone),
      calls: sumEarlier(({ calls }) => calls),
      context_tokens: sumEarlier(sumContextTokens),
      call_tokens: sumEarlier((sums) => sumCallTokens(sums) - sums.refused_tokens),
      comparable: hasImports ? "calls" : "context",
    },
  };
}

// Requests from MCP App pages are summed by server only. If the report filters by tool or client, it leaves them out.
function sumViewTraffic({ view, filters }: ReportPlan): Pick<UsageReport, "view"> {
  const { servers, tools, clients } = filters;
  let [calls, bytes] = [0, 0];
  if (tools.length + clients.length > 0) return {};
  for (const [server, traffic] of view ?? []) {
    if (!passesPatterns(servers, server)) continue;
    calls += traffic.calls;
    bytes += traffic.bytes;
  }
  return calls > 0 ? { view: { calls, bytes } } : {};
}

function priceConversations(totals: ConversationTotals): ConversationDollars {
  return {
    conversations: totals.conversations,
    whole_usd: toDollars(totals.total),
    calls_usd: toDollars(totals.calls),
    definitions_usd: toDollars(totals.definitions),
    other_usd: toDollars(totals.other),
    unpriced_turns: totals.unpricedTurns,
  };
}

function planTrend(
  { range, zone, trend }: ReportPlan,
  facts: readonly UsageFact[],
): TrendPlan | undefined {
  if (!trend) return undefined;
  const first = zone.findDay(range.fromMs);
  const newest = facts.reduce((last, { day }) => Math.max(last, day), trend.today ?? first);
  const last = range.toMs === Infinity ? newest : zone.findDay(range.toMs - 1);
  return { days: [first, last], before: describePeriod(trend.before, zone), top: trend.top };
}

type EstimatorFacts = {
  readonly estimation: SummaryEstimation | null;
  readonly facts: UsageFact[];
};

function sumBlocks(
  blocks: readonly UsageBlock[],
  facts: readonly UsageFact[],
  plan: ReportPlan,
  models: AssumedModels,
): UsageSum {
  const [only] = blocks;
  const sum =
    only && blocks.length === 1
      ? only
      : { estimation: null, ...sumFacts(facts, facts, plan, models) };
  const allTokens = sum.totals.context_tokens;
  const counted = blocks.map(({ estimation, totals: { context_tokens: tokens } }): CountedShare => {
    return { estimation, context_tokens: tokens, share: allTokens === 0 ? 0 : tokens / allTokens };
  });
  return { ...sum, counted_by: counted.toSorted((a, b) => b.context_tokens - a.context_tokens) };
}

// `facts` may be limited to one estimator; `reportFacts` are of all estimators.
function sumFacts(
  facts: readonly UsageFact[],
  reportFacts: readonly UsageFact[],
  plan: ReportPlan,
  models: AssumedModels,
): UsageNumbers {
  const current = facts.filter(isCurrent);
  const priced = plan.prices && priceFacts(current, plan.prices, models);
  const rowFacts = priced?.facts ?? current;
  const total = new RowGroup();
  for (const fact of rowFacts) total.add(fact);
  const tokens = total.contextTokens;
  const trend = planTrend(plan, facts);
  const rents = sumRents(facts, reportFacts);
  const { sortsByCost = false, showsResent = false } = plan;
  return {
    totals: total.measure(tokens),
    ...(priced ? { unpriced: priced.cost.unpriced } : {}),
    tables: plan.tables.map((table) =>
      makeTable(rowFacts, tokens, { ...table, sortsByCost, showsResent }),
    ),
    ...(trend ? { trend: makeTrend(facts, trend) } : {}),
    ...(rents.length > 0 ? { rents } : {}),
  };
}

export function isWantedFact(
  { session, server, method, tool }: UsageFact,
  filters: NameFilters,
): boolean {
  const { servers, tools, clients, estimators = [] } = filters;
  if (tools.length > 0 && method === listMethod) return false;
  return (
    passesPatterns(servers, server) &&
    passesPatterns(tools, describeTool(method, tool)) &&
    passesPatterns(clients, session.client ?? "") &&
    passesPatterns(estimators, session.estimation?.estimator ?? "")
  );
}

function groupByEstimator(facts: readonly UsageFact[]): EstimatorFacts[] {
  const groups = new Map<string, { estimation: SummaryEstimation | null; facts: UsageFact[] }>();
  let lastSession: UsageFact["session"] | undefined;
  for (const fact of facts) {
    const { estimation } = fact.session;
    const key = estimation?.estimator ?? "";
    const group = groups.get(key) ?? { estimation: null, facts: [] };
    groups.set(key, group);
    if (fact.session !== lastSession)
      group.estimation = pickLessCertain(group.estimation, estimation);
    lastSession = fact.session;
    group.facts.push(fact);
  }
  const unknown = groups.get("");
  groups.delete("");
  const named = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [...named.map(([, group]) => group), ...(unknown ? [unknown] : [])];
}

function sumRents(
  facts: readonly UsageFact[],
  reportFacts: readonly UsageFact[],
): readonly ServerRent[] {
  const rents = new Map<string, RentTotals>();
  for (const { server, rent } of facts) {
    const known = rents.get(server);
    if (rent) rents.set(server, known ? addRents(known, rent) : rent);
  }
  const calls = new Map<string, number>();
  for (const { server, sums } of reportFacts.filter(isCurrent))
    calls.set(server, (calls.get(server) ?? 0) + sums.calls);
  return [...rents]
    .toSorted(([a, { tokens }], [b, bRent]) => bRent.tokens - tokens || (a < b ? -1 : 1))
    .map(([server, rent]) => ({ server, calls: calls.get(server) ?? 0, ...measureRent(rent) }));
}
