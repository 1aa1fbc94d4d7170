import { formatDay, type TimeZone } from "#history/reports/calendar.ts";
import { listMethod } from "#history/reports/call-kinds.ts";
import { describeTool } from "#history/reports/report-rows.ts";
import { sumContextTokens } from "#history/reports/usage-sums.ts";
import type { BucketRow, ViewRows } from "../view.ts";
import { type Scope, selectCallRows } from "./scope.ts";
import { makeToolKey } from "./tool.ts";

// page/style.css defines exactly this many colours: `series-0` to `series-5`.
export const dashSeriesMax = 6;

const dashBucketsMax = 400;

const definitionsTool = describeTool(listMethod, null);

type OverviewChart = {
  readonly bucket: "hour" | "day";
  readonly series: readonly string[];
  readonly rows: ViewRows<BucketRow>;
};

type SeriesTool = { readonly server: string; readonly tool: string };

export function buildOverviewChart(scope: Scope, tools: readonly SeriesTool[]): OverviewChart {
  const seriesTools = tools.slice(0, dashSeriesMax);
  const seriesByTool = new Map(
    seriesTools.map(({ server, tool }, index) => [makeToolKey(server, tool), index]),
  );
  // Two servers may both have a tool `read`. If tools of several servers were called, a tool's series has the name
  // `SERVER TOOL`. The page finds a series' colour by the series' name.
  const servers = new Set(tools.map(({ server }) => server));
  const hasOneServer = servers.size < 2;
  const series = [
    ...seriesTools.map(({ server, tool }) => (hasOneServer ? tool : `${server} ${tool}`)),
    "definitions",
    "other",
  ];
  const bucket = scope.firstDay === scope.today ? "hour" : "day";
  const shares = bucket === "hour" ? listHourShares(scope) : listDayShares(scope);
  const rows = new Map<number, { label: string; tokens: number[] }>();
  for (const { startMs, label, server, tool, tokens } of shares) {
    const row = rows.get(startMs) ?? { label, tokens: series.map(() => 0) };
    rows.set(startMs, row);
    const fallbackIndex = tool === definitionsTool ? seriesTools.length : seriesTools.length + 1;
    const seriesIndex = seriesByTool.get(makeToolKey(server, tool)) ?? fallbackIndex;
    row.tokens[seriesIndex] = (row.tokens[seriesIndex] ?? 0) + tokens;
  }
  const newestBuckets = [...rows].toSorted(([a], [b]) => b - a).slice(0, dashBucketsMax);
  const bucketRows = newestBuckets.map(([startMs, row]) => {
    const start = new Date(startMs).toISOString();
    return [start, { start, ...row }] as const;
  });
  return { bucket, series, rows: Object.fromEntries(bucketRows) };
}

type BucketShare = {
  readonly startMs: number;
  readonly label: string;
  readonly server: string;
  readonly tool: string;
  readonly tokens: number;
};

function listDayShares({ facts, model: { zone } }: Scope): BucketShare[] {
  return facts.map(({ day, server, method, tool, sums }) => ({
    startMs: zone.findDayStart(day),
    label: formatDay(day),
    server,
    tool: describeTool(method, tool),
    tokens: sumContextTokens(sums),
  }));
}

const quarterMs = 900_000;

// In some time zones, hours begin at 15, 30 or 45 minutes past a UTC hour.
function makeHourReader(zone: TimeZone): (ms: number) => Pick<BucketShare, "startMs" | "label"> {
  const hours = new Map<number, Pick<BucketShare, "startMs" | "label">>();
  return (ms) => {
    const quarterStartMs = ms - (ms % quarterMs);
    const cached = hours.get(quarterStartMs);
    if (cached) return cached;
    const [, clock = "00:00"] = zone.formatMinute(quarterStartMs).split(" ");
    const [hour = "00", minute = "00"] = clock.split(":");
    const localHour = { startMs: quarterStartMs - Number(minute) * 60_000, label: `${hour}:00` };
    hours.set(quarterStartMs, localHour);
    return localHour;
  };
}

// Definitions count in the hour in which their session began. If that was before today, they count in the first hour.
function listHourShares(scope: Scope): BucketShare[] {
  const { model, facts, fromMs } = scope;
  const { calls, zone } = model;
  const findHour = makeHourReader(zone);
  const makeShare = (ms: number, share: Omit<BucketShare, "startMs" | "label">): BucketShare => ({
    ...findHour(ms),
    ...share,
  });
  const definitionShares = facts
    .filter(({ method, sums }) => method === listMethod && sumContextTokens(sums) > 0)
    .map(({ session, server, sums }) =>
      makeShare(Math.max(session.beganMs, fromMs), {
        server,
        tool: definitionsTool,
        tokens: sumContextTokens(sums),
      }),
    );
  const callShares = selectCallRows(scope).map((row) =>
    makeShare(calls.readTimeMs(row), {
      server: calls.readServer(row),
      tool: calls.readTool(row),
      tokens: calls.sumTokens(row),
    }),
  );
  return [...definitionShares, ...callShares];
}
