import { dashLiveMs, dashRowsMax } from "../../limits.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { DashModel } from "../model/model.ts";
import type { OverviewView, ViewChoice, ViewRows } from "../view.ts";
import { bucketsOf } from "./buckets.ts";
import { callRows, isOfScope, type Scope, scopeOf, type ViewSetting } from "./scope.ts";
import { tokensByTool, toolKey, withFigures } from "./tool-figures.ts";

// The newest.
const dashSessionRowsMax = 500;

const all = { order: undefined, top: undefined } as const;
const few = { order: undefined, top: dashRowsMax } as const;

export function overviewView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): OverviewView {
  const scope = scopeOf(model, choice, setting, [
    { ...few, by: ["tool"] },
    { ...few, by: ["server"] },
    { ...few, by: ["client"] },
    { ...all, by: ["session"] },
  ]);
  const {
    block,
    setting: { prices },
  } = scope;
  const [tools = [], servers = [], clients = [], sessions = []] =
    block?.tables.map(({ rows }) => rows) ?? [];
  const figures = tokensByTool(model.calls, callRows(scope));
  const { bucket, series, rows: buckets } = bucketsOf(scope, namedTools(tools));
  const figured = tools.map((row) => withFigures(row, figures.get(toolRowKey(row))));
  return {
    head: {
      ...scope.head,
      totals: block?.totals ?? null,
      series,
      bucket,
      live_sessions: liveSessions(scope),
      ...(prices ? { prices: prices.origin } : {}),
    },
    tables: {
      tools: keyed(figured, toolRowKey),
      servers: keyed(servers, ({ server = "" }) => server),
      clients: keyed(clients, ({ client }) => client ?? ""),
      sessions: keyed(newest(sessions), sessionRowKey),
      buckets,
    },
  };
}

/** The row for the rest has no names to make a key from. */
function keyed<R extends UsageRow>(rows: readonly R[], keyOf: (row: R) => string): ViewRows<R> {
  return Object.fromEntries(rows.map((row) => [row.more === undefined ? keyOf(row) : "\n", row]));
}

function toolRowKey({ server = "", tool = "" }: UsageRow): string {
  return toolKey(server, tool);
}

function sessionRowKey({ session_id: id = "", server = "" }: UsageRow): string {
  return JSON.stringify([id, server]);
}

function namedTools(rows: readonly UsageRow[]): { server: string; tool: string }[] {
  return rows.flatMap(({ server, tool, calls }) =>
    server === undefined || tool === undefined || calls === 0 ? [] : [{ server, tool }],
  );
}

function newest(rows: readonly UsageRow[]): readonly UsageRow[] {
  return rows
    .toSorted((one, other) => ((one.began ?? "") < (other.began ?? "") ? 1 : -1))
    .slice(0, dashSessionRowsMax);
}

function liveSessions(scope: Scope): number {
  const sinceMs = scope.setting.nowMs - dashLiveMs;
  const entries = [...scope.model.sessions.values()];
  return entries.filter(
    (entry) =>
      entry.end === undefined &&
      entry.newestMs >= sinceMs &&
      isOfScope(entry, scope) &&
      (scope.choice.server === undefined || entry.record?.server === scope.choice.server),
  ).length;
}
