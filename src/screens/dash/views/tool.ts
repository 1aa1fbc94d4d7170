import type { DashModel } from "../model/model.ts";
import type { HistogramRow, ToolView, ViewChoice, ViewRows, ToolViewRow } from "../view.ts";
import { callRow } from "./session.ts";
import {
  lockedWorstCase,
  lockFor,
  callRows,
  type Scope,
  scopeOf,
  type ViewSetting,
} from "./scope.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { CallTable } from "../model/call-table.ts";

// The newest; more points cover each other.
export const dashPointsMax = 2_000;

export const dashLastCallsMax = 20;

export function toolView(model: DashModel, choice: ViewChoice, setting: ViewSetting): ToolView {
  const { server = "", tool = "" } = choice;
  const plan = { by: ["tool"], order: undefined, top: undefined } as const;
  const scope = scopeOf(model, { ...choice, server }, setting, [plan]);
  const rows = callRows(scope, { server, tool });
  const found = scope.block?.tables[0]?.rows.find((row) => row.tool === tool);
  const tokens = tokensByTool(model.calls, rows).get(toolKey(server, tool)) ?? [];
  const definition = model
    .listOf(server, scope.estimator)
    ?.record.tools.find(({ name }) => name === tool);
  const lock = lockFor(setting.locks, server);
  return {
    head: {
      ...scope.head,
      server,
      tool,
      row: found ? withFigures(found, tokens) : null,
      definition_tokens: definition?.tokens ?? null,
      worst_case: lock ? lockedWorstCase(lock, tool, definition?.sha256) : null,
      counters: setting.counters.filter(
        (counter) => counter.tool === tool && (counter.server ?? server) === server,
      ),
    },
    tables: {
      histogram: histogramOf(tokens),
      points: pointsOf(scope, rows),
      calls: lastCalls(scope, rows),
    },
  };
}

function pointsOf(
  { model: { calls } }: Scope,
  rows: readonly number[],
): ToolView["tables"]["points"] {
  const points = newestOf(calls, rows, dashPointsMax).map((row) => {
    const [tokens, duration] = [calls.tokensOf(row), calls.amountOf(row, "durationMs")];
    const outcome = calls.outcomeOf(row);
    return [String(row), { total_tokens: tokens, duration_ms: duration, outcome }] as const;
  });
  return Object.fromEntries(points);
}

function lastCalls({ model }: Scope, rows: readonly number[]): ToolView["tables"]["calls"] {
  const { calls, sessions, zone } = model;
  const newest = newestOf(calls, rows, dashLastCallsMax).map((row) => {
    const session = calls.sessionOf(row);
    const beganMs = sessions.get(session)?.beganMs ?? calls.msOf(row);
    const call = { ...callRow(calls, row, { zone, beganMs }), session_id: session };
    return [String(row), call] as const;
  });
  return Object.fromEntries(newest);
}

/** Files are read in any order, so rows are not in the order of time. */
function newestOf(calls: DashModel["calls"], rows: readonly number[], max: number): number[] {
  return rows.toSorted((one, other) => calls.msOf(other) - calls.msOf(one)).slice(0, max);
}

function histogramOf(tokens: readonly number[]): ViewRows<HistogramRow> {
  const classes = new Map<number, number>();
  for (const one of tokens) {
    const power = Math.floor(Math.log2(Math.max(1, one)));
    classes.set(power, (classes.get(power) ?? 0) + 1);
  }
  const highest = Math.max(-1, ...classes.keys());
  const lowest = Math.min(highest, ...classes.keys());
  const rows = Array.from({ length: highest - lowest + (highest < 0 ? 0 : 1) }, (_, at) => {
    const power = lowest + at;
    const [from, to] = [2 ** power, 2 ** (power + 1) - 1];
    return [String(from), { from, to, calls: classes.get(power) ?? 0 }] as const;
  });
  return Object.fromEntries(rows);
}

export function toolKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

export function tokensByTool(
  calls: CallTable,
  rows: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const tools = new Map<number, { readonly key: string; readonly tokens: number[] }>();
  for (const row of rows) {
    if (calls.outcomeOf(row) === "refused") continue;
    const id = calls.toolIdOf(row);
    const known = tools.get(id);
    if (known) known.tokens.push(calls.tokensOf(row));
    else tools.set(id, { key: keyOf(calls, row), tokens: [calls.tokensOf(row)] });
  }
  return new Map([...tools.values()].map(({ key, tokens }) => [key, tokens.toSorted(ascending)]));
}

function keyOf(calls: CallTable, row: number): string {
  return toolKey(calls.serverOf(row), calls.toolOf(row));
}

function ascending(one: number, other: number): number {
  return one - other;
}

export function withFigures(row: UsageRow, tokens: readonly number[] | undefined): ToolViewRow {
  const answered = row.calls - row.refused;
  const average = (row.total_tokens - row.refused_tokens) / answered;
  return {
    ...row,
    average_tokens: answered > 0 ? Math.round(average) : null,
    p95_tokens: percentile(tokens ?? [], 95),
  };
}

function percentile(sorted: readonly number[], percent: number): number | null {
  const at = Math.ceil((sorted.length * percent) / 100) - 1;
  return sorted[Math.max(0, at)] ?? null;
}
