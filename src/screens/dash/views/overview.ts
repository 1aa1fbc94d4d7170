import type { UsageRow } from "#history/reports/usage-report.ts";
import type { DashModel } from "../model/model.ts";
import type { OverviewView, ViewChoice, ViewRows } from "../view.ts";
import {
  allRows,
  buildScope,
  isInScope,
  type Scope,
  selectCallRows,
  type ViewContext,
  dashRowsMax,
  isLive,
} from "./scope.ts";
import { buildOverviewChart } from "./overview-chart.ts";
import { groupTokensByTool, makeToolKey, addAverageAndP95 } from "./tool.ts";

const dashSessionRowsMax = 500;

const limitedRows = { order: undefined, top: dashRowsMax } as const;

export function buildOverviewView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): OverviewView {
  const scope = buildScope(model, choice, context, {
    tables: [
      { ...limitedRows, by: ["tool"] },
      { ...limitedRows, by: ["server"] },
      { ...limitedRows, by: ["client"] },
      { ...allRows, by: ["session"] },
    ],
  });
  const { usage } = scope;
  const [tools = [], servers = [], clients = [], sessions = []] =
    usage?.tables.map(({ rows }) => rows) ?? [];
  const tokensByTool = groupTokensByTool(model.calls, selectCallRows(scope));
  const { bucket, series, rows: buckets } = buildOverviewChart(scope, pickCalledTools(tools));
  const toolRows = tools.map((row) => addAverageAndP95(row, tokensByTool.get(makeToolRowKey(row))));
  return {
    head: {
      ...scope.head,
      totals: usage?.totals ?? null,
      series,
      bucket,
      live_sessions: countLiveSessions(scope),
    },
    tables: {
      tools: keyRows(toolRows, makeToolRowKey),
      servers: keyRows(servers, ({ server = "" }) => server),
      clients: keyRows(clients, ({ client }) => client ?? ""),
      sessions: keyRows(pickNewest(sessions), ({ session_id: id = "", server = "" }) =>
        JSON.stringify([id, server]),
      ),
      buckets,
    },
  };
}

// The key of the row that sums up the remaining rows. A line break alone is never a name.
const moreRowKey = "\n";

function keyRows<R extends UsageRow>(rows: readonly R[], makeKey: (row: R) => string): ViewRows<R> {
  return Object.fromEntries(
    rows.map((row) => [row.more === undefined ? makeKey(row) : moreRowKey, row]),
  );
}

function makeToolRowKey({ server = "", tool = "" }: UsageRow): string {
  return makeToolKey(server, tool);
}

function pickCalledTools(rows: readonly UsageRow[]): { server: string; tool: string }[] {
  return rows.flatMap(({ server, tool, calls }) =>
    server === undefined || tool === undefined || calls === 0 ? [] : [{ server, tool }],
  );
}

function pickNewest(rows: readonly UsageRow[]): readonly UsageRow[] {
  return rows
    .toSorted((a, b) => Date.parse(b.began ?? "") - Date.parse(a.began ?? "") || 0)
    .slice(0, dashSessionRowsMax);
}

function countLiveSessions(scope: Scope): number {
  const { nowMs } = scope.context;
  const entries = [...scope.model.sessions.values()];
  return entries.filter(
    (entry) =>
      isLive(entry, nowMs) &&
      isInScope(entry, scope) &&
      (scope.choice.server === undefined || entry.record?.server === scope.choice.server),
  ).length;
}
