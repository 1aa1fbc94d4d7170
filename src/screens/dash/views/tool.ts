import { computeWorstCase } from "#lock/answer-worst-case.ts";
import type { DashModel } from "../model/model.ts";
import type {
  HistogramRow,
  ToolView,
  ViewChoice,
  ViewRows,
  ToolViewRow,
  WorstCaseDetails,
} from "../view.ts";
import { buildCallRow } from "./session.ts";
import {
  allRows,
  findRow,
  findLock,
  selectCallRows,
  type Scope,
  type ServerLock,
  buildScope,
  type ViewContext,
} from "./scope.ts";
import { formatDay } from "#history/reports/calendar.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { CallTable } from "../model/call-table.ts";

export const dashLastCallsMax = 20;

export function buildToolView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): ToolView {
  const { server = "", tool = "" } = choice;
  const tables = [{ ...allRows, by: ["tool"] }] as const;
  const costNotesScope = `all tools of ${server}`;
  const scope = buildScope(model, { ...choice, server }, context, { tables, costNotesScope });
  const rows = selectCallRows(scope, { server, tool });
  const usage = findRow(scope, (row) => row.tool === tool);
  const tokens = groupTokensByTool(model.calls, rows).get(makeToolKey(server, tool)) ?? [];
  const definition = model
    .findList(server, scope.estimator)
    ?.record.tools.find(({ name }) => name === tool);
  const lock = findLock(context.locks, server);
  return {
    head: {
      ...scope.head,
      server,
      tool,
      row: usage ? addAverageAndP95(usage, tokens) : null,
      definition_tokens: definition?.tokens ?? null,
      worst_case: lock ? findLockedWorstCase(lock, tool, definition?.sha256) : null,
      counters: (context.counters ?? []).filter(
        (counter) => counter.tool === tool && (counter.server ?? server) === server,
      ),
    },
    tables: {
      histogram: buildHistogram(tokens),
      calls: listLastCalls(scope, rows),
    },
  };
}

export function findLockedWorstCase(
  { lock }: ServerLock,
  tool: string,
  listedSha256: string | undefined,
): WorstCaseDetails | null {
  const locked = lock.tools.find(({ name }) => name === tool);
  if (!locked) return null;
  const worst = computeWorstCase(locked.definition, lock.risk_thresholds);
  return {
    tokens: worst.is_assumed ? null : worst.tokens,
    basis: worst.basis,
    items: worst.items,
    item_tokens: locked.fields.output > 0 ? worst.base_tokens : null,
    is_listed: listedSha256 === locked.sha256,
  };
}

function listLastCalls({ model }: Scope, rows: readonly number[]): ToolView["tables"]["calls"] {
  const { calls, zone } = model;
  const newest = pickNewest(calls, rows, dashLastCallsMax).map((row) => {
    const session = calls.readSession(row);
    const day = formatDay(zone.findDay(calls.readTimeMs(row)));
    const call = { ...buildCallRow(model, row), session_id: session, day };
    return [String(row), call] as const;
  });
  return Object.fromEntries(newest);
}

// Files are read in any order, so rows are not sorted by time.
function pickNewest(calls: DashModel["calls"], rows: readonly number[], max: number): number[] {
  return rows.toSorted((a, b) => calls.readTimeMs(b) - calls.readTimeMs(a)).slice(0, max);
}

const bucketBounds = [
  0,
  ...[1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((power) => [power, 2 * power, 5 * power]),
];

function buildHistogram(tokens: readonly number[]): ViewRows<HistogramRow> {
  const counts = bucketBounds.map(() => 0);
  for (const count of tokens) {
    const index = bucketBounds.findLastIndex((bound) => bound <= count);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const lowest = counts.findIndex((calls) => calls > 0);
  const highest = counts.findLastIndex((calls) => calls > 0);
  const rows = bucketBounds.flatMap((from, index) => {
    if (index < lowest || index > highest) return [];
    const to = bucketBounds[index + 1] ?? 2 * from;
    return [[String(from), { from, to, calls: counts[index] ?? 0 }] as const];
  });
  return Object.fromEntries(rows);
}

export function makeToolKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

export function groupTokensByTool(
  calls: CallTable,
  rows: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const tools = new Map<number, { readonly key: string; readonly tokens: number[] }>();
  for (const row of rows) {
    if (calls.readOutcome(row) === "refused") continue;
    const id = calls.readToolId(row);
    const group = tools.get(id);
    if (group) group.tokens.push(calls.sumTokens(row));
    else {
      const key = makeToolKey(calls.readServer(row), calls.readTool(row));
      tools.set(id, { key, tokens: [calls.sumTokens(row)] });
    }
  }
  return new Map(
    [...tools.values()].map(({ key, tokens }) => [key, tokens.toSorted((a, b) => a - b)]),
  );
}

export function addAverageAndP95(
  row: UsageRow,
  tokens: readonly number[] | undefined,
): ToolViewRow {
  const averagedCalls = row.calls - row.refused;
  const average = (row.total_tokens - row.refused_tokens) / averagedCalls;
  return {
    ...row,
    average_tokens: averagedCalls > 0 ? Math.round(average) : null,
    p95_tokens: findPercentile(tokens ?? [], 95),
  };
}

function findPercentile(sorted: readonly number[], percent: number): number | null {
  const index = Math.ceil((sorted.length * percent) / 100) - 1;
  return sorted[Math.max(0, index)] ?? null;
}
