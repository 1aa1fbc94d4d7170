import { isProvisionalEnd } from "#records/ledger.ts";
import type { ConfiguredLimits } from "#history/reports/advice/session-usage.ts";
import { formatBytes } from "#kit/text/numbers.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import { formatDay, type DayNumber } from "#history/reports/calendar.ts";
import { isWantedFact, makeReport, type NameFilters } from "#history/reports/make-report.ts";
import { type TablePlan } from "#history/reports/report-rows.ts";
import { sumContextTokens } from "#history/reports/usage-sums.ts";
import type { UsageFact } from "#history/reports/usage-cube.ts";
import type { UsageReport, UsageRow, UsageSum } from "#history/reports/usage-report.ts";
import type { DashModel, SessionEntry } from "../model/model.ts";
import { formatReportCommand, showsCosts, type ViewHead, type ViewChoice } from "../view.ts";
import { listCostNotes } from "../../renderers/documents/cost-notes.ts";
import { joinSpans } from "../../renderers/document.ts";
import { describePagesRead } from "../../renderers/documents/shared-texts.ts";
import type { Lock } from "#lock/lock.ts";

// A session without a final end record counts as live for this long after its last record.
export const dashLiveMs = 600_000;

export const dashRowsMax = 1_000;

const dashChoicesMax = 200;

export type ViewContext = {
  readonly nowMs: number;
  readonly notes: readonly string[];
  /** Undefined until they are read. */
  readonly counters?: readonly CounterStatus[] | undefined;
  readonly locks: readonly ServerLock[];
  readonly findLimits?: () => readonly ConfiguredLimits[];
  readonly prices?: PriceBook | undefined;
};

export type Scope = {
  readonly model: DashModel;
  readonly choice: ViewChoice;
  readonly context: ViewContext;
  readonly fromMs: number;
  readonly firstDay: DayNumber;
  readonly today: DayNumber;
  readonly facts: readonly UsageFact[];
  /** Undefined if no records of the period match the filters. */
  readonly usage: UsageSum | undefined;
  readonly estimator: string | undefined;
  readonly filters: NameFilters;
  readonly head: ViewHead;
};

export const allRows = { order: undefined, top: undefined } as const;

type ScopePlan = {
  readonly tables?: readonly TablePlan[];
  readonly days?: readonly [first: DayNumber, last: DayNumber];
  /** Describes the calls that the cost notes cover. Undefined if the screen shows the same calls. */
  readonly costNotesScope?: string;
};

export function buildScope(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
  { tables = [], days, costNotesScope }: ScopePlan = {},
): Scope {
  const { zone, today } = model;
  const fromMs = model.computeStartMs(choice.period);
  const firstDay = zone.findDay(fromMs);
  const prices = showsCosts(choice) ? context.prices : undefined;
  const allFacts = model.listFacts(choice.period, prices !== undefined);
  const periodFacts = allFacts.filter(({ day }) => !days || (day >= days[0] && day <= days[1]));
  const estimators = rankNames(periodFacts, ({ session }) => session.estimation?.estimator ?? null);
  const estimator = estimators.find((name) => name === choice.estimator);
  const filters = makeFilters(choice, estimator);
  const facts = periodFacts.filter((fact) => isWantedFact(fact, filters));
  const range = { fromMs, toMs: context.nowMs + 1 };
  const view = selectPageTraffic(model, choice);
  const plan = { tables, filters, range, zone, prices, trend: undefined, view };
  // The report needs unfiltered facts: if a record names no model, its price may depend on calls that the filters hide.
  const report = makeReport(periodFacts, plan);
  const usage = report.blocks.length === 0 ? undefined : report.sum;
  const head = {
    screen: choice.screen,
    command: formatReportCommand({ choice, since: formatDay(firstDay), timezone: zone.name }),
    notes: [...context.notes, ...notePages(report), ...noteCosts(report, costNotesScope)],
    servers: rankNames(periodFacts, ({ server }) => server),
    clients: rankNames(periodFacts, ({ session }) => session.client),
    estimators,
    timezone: zone.name,
    first: formatDay(firstDay),
    last: formatDay(today),
    recorded_days: today - zone.findDay(model.fromMs) + 1,
    estimation: usage?.estimation ?? null,
    counted_by: usage?.counted_by ?? [],
  };
  const period = { fromMs, firstDay, today };
  return { model, choice, context, ...period, facts, usage, estimator, filters, head };
}

// Requests from MCP App pages are summed by server, so the requests of one client are unknown.
function selectPageTraffic(model: DashModel, { period, server, client }: ViewChoice) {
  if (client !== undefined) return undefined;
  const traffic = [...(model.findAppTraffic(period) ?? [])];
  return new Map(traffic.filter(([name]) => server === undefined || name === server));
}

function notePages({ view }: UsageReport): readonly string[] {
  return view ? [describePagesRead(view.calls, formatBytes(view.bytes))] : [];
}

function noteCosts({ cost, sum }: UsageReport, costNotesScope?: string): readonly string[] {
  const notes = listCostNotes({
    cost,
    total: sum.totals,
    modelOption: "mcp-meter report --cost --model NAME",
  });
  if (notes.length === 0) return [];
  const introduction =
    costNotesScope === undefined
      ? []
      : [`The report command and the cost notes below cover ${costNotesScope}:`];
  return [
    ...introduction,
    ...notes.map(({ label, text }) => `${joinSpans(label)}: ${joinSpans(text)}`),
  ];
}

function makeFilters({ server, client }: ViewChoice, estimator: string | undefined): NameFilters {
  const [servers = [], clients = [], estimators = []] = [server, client, estimator].map((name) =>
    name === undefined ? [] : [name],
  );
  return { servers, tools: [], clients, estimators };
}

export function findRow({ usage }: Scope, isWanted: (row: UsageRow) => boolean): UsageRow | null {
  return usage?.tables[0]?.rows.find(isWanted) ?? null;
}

export function isInScope(
  session: Pick<SessionEntry, "client" | "estimation"> | undefined,
  { choice, estimator }: Pick<Scope, "choice" | "estimator">,
): boolean {
  if (!session) return false;
  if (estimator !== undefined && session.estimation?.estimator !== estimator) return false;
  return choice.client === undefined || session.client === choice.client;
}

export function isLive({ end, newestMs }: SessionEntry, nowMs: number): boolean {
  return (!end || isProvisionalEnd(end)) && newestMs >= nowMs - dashLiveMs;
}

export function selectCallRows(
  { model, fromMs, choice, estimator }: Scope,
  { server = choice.server, tool }: { readonly server?: string; readonly tool?: string } = {},
): number[] {
  const selectedSessions = new Map<string, boolean>();
  const isSelectedSession = (id: string): boolean => {
    const isSelected =
      selectedSessions.get(id) ??
      isInScope(model.sessions.get(id) ?? model.loggedSessions.get(id), { choice, estimator });
    selectedSessions.set(id, isSelected);
    return isSelected;
  };
  const rows: number[] = [];
  for (const row of model.calls.selectRows({ fromMs, server, tool })) {
    if (isSelectedSession(model.calls.readSession(row))) rows.push(row);
  }
  return rows;
}

function rankNames(
  facts: readonly UsageFact[],
  readName: (fact: UsageFact) => string | null,
): readonly string[] {
  const tokens = new Map<string, number>();
  for (const fact of facts) {
    const name = readName(fact);
    if (name !== null) tokens.set(name, (tokens.get(name) ?? 0) + sumContextTokens(fact.sums));
  }
  return [...tokens]
    .toSorted(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
    .slice(0, dashChoicesMax)
    .map(([name]) => name);
}

export type ServerLock = {
  readonly file: string;
  readonly server: string | null;
  readonly lock: Lock;
};

export function findServerName({ server, lock }: ServerLock): string | null {
  return server ?? lock.server.name;
}

export function findLock(locks: readonly ServerLock[], server: string): ServerLock | undefined {
  return locks.find((serverLock) => findServerName(serverLock) === server);
}
