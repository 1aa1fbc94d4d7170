import { dashLiveMs, dashRowsMax } from "../../limits.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { DashModel } from "../model/model.ts";
import type { OverviewView, ViewChoice, ViewRows, BucketRow } from "../view.ts";
import { callRows, isOfScope, type Scope, scopeOf, type ViewSetting } from "./scope.ts";
import { tokensByTool, toolKey, withFigures } from "./tool.ts";
import { dayText, type TimeZone } from "#history/reports/calendar.ts";
import { listMethod } from "#history/reports/call-kinds.ts";
import { contextTokens } from "#history/reports/sums.ts";
import { toolName } from "#history/reports/row-keys.ts";

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

// More colours are too much alike.
export const dashSeriesMax = 6;

// A bar still has a pixel or two.
const dashBucketsMax = 400;

type Buckets = {
  readonly bucket: "hour" | "day";
  readonly series: readonly string[];
  readonly rows: ViewRows<BucketRow>;
};

type SeriesTool = { readonly server: string; readonly tool: string };

export function bucketsOf(scope: Scope, tools: readonly SeriesTool[]): Buckets {
  const named = tools.slice(0, dashSeriesMax);
  const places = new Map(named.map(({ server, tool }, at) => [toolKey(server, tool), at]));
  const servers = new Set(named.map(({ server }) => server));
  const isPlain = servers.size < 2;
  const series = [
    ...named.map(({ server, tool }) => (isPlain ? tool : `${server} ${tool}`)),
    "definitions",
    "other",
  ];
  const bars = scope.first === scope.today ? hourBars(scope) : dayBars(scope);
  const rows = new Map<number, { label: string; tokens: number[] }>();
  for (const { startMs, label, server, tool, tokens } of bars) {
    const row = rows.get(startMs) ?? { label, tokens: series.map(() => 0) };
    rows.set(startMs, row);
    const other = tool === definitions ? named.length : named.length + 1;
    const at = places.get(toolKey(server, tool)) ?? other;
    row.tokens[at] = (row.tokens[at] ?? 0) + tokens;
  }
  const newestBucket = [...rows].toSorted(([one], [other]) => other - one).slice(0, dashBucketsMax);
  const bucketRows = newestBucket.map(([startMs, row]) => {
    const start = new Date(startMs).toISOString();
    return [start, { start, ...row }] as const;
  });
  const bucket = scope.first === scope.today ? "hour" : "day";
  return { bucket, series, rows: Object.fromEntries(bucketRows) };
}

type Part = {
  readonly startMs: number;
  readonly label: string;
  readonly server: string;
  readonly tool: string;
  readonly tokens: number;
};

const definitions = toolName(listMethod, null);

function dayBars({ facts, estimator, model: { zone } }: Scope): Part[] {
  return facts
    .filter(({ session }) => (session.estimation?.estimator ?? "") === estimator)
    .map(({ day, server, method, tool, sums }) => ({
      startMs: zone.startOf(day),
      label: dayText(day),
      server,
      tool: toolName(method, tool),
      tokens: contextTokens(sums),
    }));
}

const offsetStepMs = 900_000;

/** Where the offset is not whole, local hours begin at other moments of UTC. */
function hourReader(zone: TimeZone): (ms: number) => Pick<Part, "startMs" | "label"> {
  const hours = new Map<number, Pick<Part, "startMs" | "label">>();
  return (ms) => {
    const stepMs = ms - (ms % offsetStepMs);
    const known = hours.get(stepMs);
    if (known) return known;
    const [, clock = "00:00"] = zone.minuteText(stepMs).split(" ");
    const [hour = "00", minute = "00"] = clock.split(":");
    const found = { startMs: stepMs - Number(minute) * 60_000, label: `${hour}:00` };
    hours.set(stepMs, found);
    return found;
  };
}

/** Definitions count at the hour in which their session began, or at the first of the day. */
function hourBars(scope: Scope): Part[] {
  const { model, facts, estimator, fromMs } = scope;
  const { calls, zone } = model;
  const hourOf = hourReader(zone);
  const partAt = (ms: number, part: Omit<Part, "startMs" | "label">): Part => ({
    ...hourOf(ms),
    ...part,
  });
  const lists = facts
    .filter(({ session }) => (session.estimation?.estimator ?? "") === estimator)
    .filter(({ method, sums }) => method === listMethod && contextTokens(sums) > 0)
    .map(({ session, server, sums }) =>
      partAt(Math.max(session.beganMs, fromMs), {
        server,
        tool: definitions,
        tokens: contextTokens(sums),
      }),
    );
  const called = callRows(scope).map((row) =>
    partAt(calls.msOf(row), {
      server: calls.serverOf(row),
      tool: calls.toolOf(row),
      tokens: calls.tokensOf(row),
    }),
  );
  return [...lists, ...called];
}
