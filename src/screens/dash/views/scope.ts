import { formatBytes } from "#kit/text/numbers.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import { dayText, type DayNumber } from "#history/reports/calendar.ts";
import { makeReport, type TablePlan } from "#history/reports/make-report.ts";
import { contextTokens } from "#history/reports/sums.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import type { UsageBlock, UsageReport } from "#history/reports/usage-report.ts";
import type { DashModel, SessionEntry } from "../model/model.ts";
import { reportCommand } from "../report-command.ts";
import type { EstimatedHead, ViewChoice } from "../view.ts";
import type { ServerLock } from "./locked.ts";
import { pagesRead } from "../../sentences.ts";

const dashChoicesMax = 200;

export type ViewSetting = {
  readonly nowMs: number;
  readonly notes: readonly string[];
  readonly counters: readonly CounterStatus[];
  readonly locks: readonly ServerLock[];
  readonly prices?: PriceBook | undefined;
};

export type Scope = {
  readonly model: DashModel;
  readonly choice: ViewChoice;
  readonly setting: ViewSetting;
  readonly fromMs: number;
  readonly first: DayNumber;
  readonly today: DayNumber;
  readonly facts: readonly UsageFact[];
  readonly report: UsageReport;
  readonly block: UsageBlock | undefined;
  readonly estimator: string;
  readonly head: EstimatedHead;
};

export function scopeOf(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
  tables: readonly TablePlan[] = [],
): Scope {
  const { zone, today } = model;
  const fromMs = model.beginOf(choice.period);
  const first = zone.dayOf(fromMs);
  const period = model.facts(choice.period);
  const facts = period.filter((fact) => isChosen(fact, choice));
  const range = { fromMs, toMs: setting.nowMs + 1 };
  const filters = { servers: [], tools: [], clients: [] };
  const view = viewTraffic(model, choice);
  const plan = { tables, filters, range, zone, prices: setting.prices, trend: undefined, view };
  const report = makeReport(facts, plan);
  const blocks = report.blocks.toSorted((one, other) => tokensIn(other) - tokensIn(one));
  const block =
    blocks.find(({ estimation }) => estimation?.estimator === choice.estimator) ?? blocks[0];
  const estimator = block?.estimation?.estimator ?? "";
  const head = {
    screen: choice.screen,
    command: reportCommand({ choice, since: dayText(first), timezone: zone.name }),
    notes: [...setting.notes, ...pageNotes(report)],
    servers: namesIn(period, ({ server }) => server),
    clients: namesIn(period, ({ session }) => session.client),
    estimators: blocks.flatMap(({ estimation }) => estimation?.estimator ?? []),
    timezone: zone.name,
    first: dayText(first),
    last: dayText(today),
    estimation: block?.estimation ?? null,
  };
  return { model, choice, setting, fromMs, first, today, facts, report, block, estimator, head };
}

function viewTraffic(model: DashModel, { period, server, client }: ViewChoice) {
  if (client !== undefined) return undefined;
  const all = [...(model.viewOf(period) ?? [])];
  return new Map(all.filter(([name]) => server === undefined || name === server));
}

function pageNotes({ view }: UsageReport): readonly string[] {
  return view ? [pagesRead(view.calls, formatBytes(view.bytes))] : [];
}

export function isOfScope(
  entry: SessionEntry | undefined,
  { choice, estimator }: Pick<Scope, "choice" | "estimator">,
): boolean {
  if (!entry || (entry.estimation?.estimator ?? "") !== estimator) return false;
  return choice.client === undefined || entry.record?.client_name === choice.client;
}

export function callRows(
  { model, fromMs, choice, estimator }: Scope,
  { server = choice.server, tool }: { readonly server?: string; readonly tool?: string } = {},
): number[] {
  const known = new Map<string, boolean>();
  const isIn = (id: string): boolean => {
    const is = known.get(id) ?? isOfScope(model.sessions.get(id), { choice, estimator });
    known.set(id, is);
    return is;
  };
  const rows: number[] = [];
  for (const row of model.calls.rows({ fromMs, server, tool })) {
    if (isIn(model.calls.sessionOf(row))) rows.push(row);
  }
  return rows;
}

function isChosen(
  { server, session }: UsageFact,
  { server: wanted, client }: Pick<ViewChoice, "server" | "client">,
): boolean {
  return (
    (wanted === undefined || server === wanted) &&
    (client === undefined || session.client === client)
  );
}

function tokensIn({ totals }: UsageBlock): number {
  return totals.context_tokens;
}

function namesIn(
  facts: readonly UsageFact[],
  nameOf: (fact: UsageFact) => string | null,
): readonly string[] {
  const tokens = new Map<string, number>();
  for (const fact of facts) {
    const name = nameOf(fact);
    if (name !== null) tokens.set(name, (tokens.get(name) ?? 0) + contextTokens(fact.sums));
  }
  return [...tokens]
    .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .slice(0, dashChoicesMax)
    .map(([name]) => name);
}
