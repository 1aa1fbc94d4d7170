import type { TimeRange } from "../reports/time-range.ts";
import type { LoggedCall } from "./merge-calls.ts";
import type { MergedLogs } from "./merge-logs.ts";
import type { LoggedRequest } from "./merge-requests.ts";
import { noUsage } from "./log-event.ts";
import { sumBy } from "#kit/text/numbers.ts";

export type ClientReport = {
  readonly client: string;
  readonly known_servers: readonly string[];
  readonly sessions: number;
  readonly files_read: number;
  readonly torn_lines: number;
  readonly bad_lines: number;
  readonly unknown_records: number;
  readonly usage: UsageSum;
  // Usage that only the client's session totals show, for example the usage of a compaction.
  readonly usage_unlogged: UsageSum;
  readonly usage_by_model: { readonly [model: string]: UsageSum };
  readonly usage_by_utc_day: { readonly [day: string]: UsageSum };
  readonly usage_by_project?: { readonly [project: string]: UsageSum };
  readonly mcp_calls: number;
  readonly mcp_by_server: { readonly [server: string]: ServerCalls };
  readonly mcp_tokens: TokensByServer;
  readonly nameless_calls: number;
  readonly rejected_calls: { readonly denied: number; readonly unknown_tool: number };
  readonly calls: readonly CallRow[];
};

type ServerCalls = { readonly [tool: string]: { readonly [outcome: string]: number } };

type CallRow = {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly method: string;
  readonly outcome: string;
  readonly arguments_bytes: number;
  readonly visible_bytes: number | null;
  readonly images: number;
  readonly visible: string;
  readonly ts: string | null;
  readonly agent: string | null;
  readonly duration_ms?: number;
};

type ReportOptions = {
  readonly range: TimeRange;
  readonly knownServers: readonly string[];
  readonly listsCalls?: boolean;
};

export function reportClient(
  client: string,
  logs: MergedLogs,
  { range, knownServers, listsCalls = true }: ReportOptions,
): ClientReport {
  const requests = logs.requests.filter(({ at }) => isInRange(range, at));
  const calls = logs.calls.filter(({ at }) => isInRange(range, at));
  const rejected = logs.rejected.filter(({ at }) => isInRange(range, at));
  const { counts } = logs;
  return {
    client,
    known_servers: knownServers,
    sessions: countSessions(logs, [...requests, ...calls], range),
    files_read: logs.filesRead,
    torn_lines: counts.torn,
    bad_lines: counts.bad,
    unknown_records: counts.unknown,
    usage: sumUsage(requests),
    usage_unlogged: sumUsage(requests.filter(({ isLogged }) => !isLogged)),
    usage_by_model: sumUsageByKey(requests, ({ model }) => model ?? "unknown"),
    usage_by_utc_day: sumUsageByKey(requests, ({ at }) => formatDay(at)),
    ...sumByProject(requests, logs),
    mcp_calls: calls.length,
    mcp_by_server: countByServer(calls),
    mcp_tokens: sumTokensByServer(calls),
    nameless_calls: logs.unknownServerCalls,
    rejected_calls: {
      denied: rejected.filter(({ outcome }) => outcome === "denied").length,
      unknown_tool: rejected.filter(({ outcome }) => outcome === "unknown_tool").length,
    },
    calls: listsCalls ? calls.map((call) => makeRow(call, logs)) : [],
  };
}

// Adds up the reports of logs that have no events in common.
export function combineReports(
  client: string,
  knownServers: readonly string[],
  reports: readonly ClientReport[],
): ClientReport {
  return {
    client,
    known_servers: knownServers,
    ...combineCounts(reports),
    usage: sumCounts([sumUsage([]), ...reports.map(({ usage }) => usage)]),
    usage_unlogged: sumCounts([sumUsage([]), ...reports.map((report) => report.usage_unlogged)]),
    usage_by_model: sumMembers(reports.map((report) => report.usage_by_model)),
    usage_by_utc_day: sumMembers(reports.map((report) => report.usage_by_utc_day)),
    ...combineProjects(reports),
    mcp_by_server: combineMembers(
      reports.map((report) => report.mcp_by_server),
      sumMembers,
    ),
    mcp_tokens: combineMembers(
      reports.map((report) => report.mcp_tokens),
      sumMembers,
    ),
    calls: reports
      .flatMap(({ calls }) => calls)
      .toSorted((a, b) => compareTexts(a.ts ?? "", b.ts ?? "") || compareTexts(a.id, b.id)),
  };
}

type ReportCounts = Pick<
  ClientReport,
  | "sessions"
  | "files_read"
  | "torn_lines"
  | "bad_lines"
  | "unknown_records"
  | "mcp_calls"
  | "nameless_calls"
  | "rejected_calls"
>;

function combineCounts(reports: readonly ClientReport[]): ReportCounts {
  const sum = (read: (report: ClientReport) => number): number => sumBy(reports, read);
  return {
    sessions: sum(({ sessions }) => sessions),
    files_read: sum((report) => report.files_read),
    torn_lines: sum((report) => report.torn_lines),
    bad_lines: sum((report) => report.bad_lines),
    unknown_records: sum((report) => report.unknown_records),
    mcp_calls: sum((report) => report.mcp_calls),
    nameless_calls: sum((report) => report.nameless_calls),
    rejected_calls: {
      denied: sum(({ rejected_calls: { denied } }) => denied),
      unknown_tool: sum((report) => report.rejected_calls.unknown_tool),
    },
  };
}

function combineProjects(reports: readonly ClientReport[]): Pick<ClientReport, "usage_by_project"> {
  if (reports.every(({ usage_by_project: byProject }) => byProject === undefined)) return {};
  const projects = reports.map(({ usage, usage_by_project: byProject }) =>
    byProject === undefined ? { unknown: usage } : byProject,
  );
  return { usage_by_project: sumMembers(projects) };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

type Members<Value> = { readonly [name: string]: Value };

function combineMembers<Value>(
  objects: readonly Members<Value>[],
  combine: (values: readonly Value[]) => Value,
): Members<Value> {
  const members = objects.flatMap((object) => Object.entries(object));
  return sumGroups(
    members,
    ([name]) => name,
    (group) => combine(group.map(([, value]) => value)),
  );
}

function sumMembers<Counts extends Members<number>>(
  objects: readonly Members<Counts>[],
): Members<Counts> {
  return combineMembers(objects, sumCounts);
}

function sumCounts<Counts extends Members<number>>(all: readonly Counts[]): Counts {
  return all.reduce(addCounts);
}

export function addCounts<Counts extends Members<number>>(a: Counts, b: Counts): Counts {
  const sums: { [name: string]: number } = {};
  for (const name of Object.keys(b)) sums[name] = (a[name] ?? 0) + (b[name] ?? 0);
  return { ...a, ...sums };
}

function isInRange({ fromMs, toMs }: TimeRange, at: number | null): boolean {
  if (at === null) return fromMs === -Infinity && toMs === Infinity;
  return fromMs <= at && at < toMs;
}

function countSessions(
  { conversations }: MergedLogs,
  inRange: readonly { readonly conversation: string }[],
  { fromMs, toMs }: TimeRange,
): number {
  const isUnlimited = fromMs === -Infinity && toMs === Infinity;
  const used = isUnlimited ? conversations.keys() : inRange.map(({ conversation }) => conversation);
  return new Set([...used].map((id) => conversations.get(id)?.session)).size;
}

const dayMs = 86_400_000;

// Remembers the day formatted last, because consecutive requests usually share it.
const lastDay = { day: -1, name: "" };

function formatDay(at: LoggedRequest["at"]): string {
  if (at === null) return "unknown";
  const day = Math.floor(at / dayMs);
  if (day !== lastDay.day) {
    lastDay.day = day;
    lastDay.name = new Date(at).toISOString().slice(0, 10);
  }
  return lastDay.name;
}

function sumByProject(
  requests: readonly LoggedRequest[],
  { conversations }: MergedLogs,
): Pick<ClientReport, "usage_by_project"> {
  const findName = (id: string = ""): string | null => conversations.get(id)?.projectName ?? null;
  if ([...conversations.keys()].every((id) => findName(id) === null)) return {};
  const nameProject = ({ conversation: id }: LoggedRequest): string =>
    findName(id) ?? findName(conversations.get(id)?.session) ?? "unknown";
  return { usage_by_project: sumUsageByKey(requests, nameProject) };
}

function countByServer(calls: readonly LoggedCall[]): ClientReport["mcp_by_server"] {
  return sumGroups(calls, ({ server }) => server, countByTool);
}

function countByTool(calls: readonly LoggedCall[]): ServerCalls {
  return sumGroups(calls, ({ tool }) => tool, countByOutcome);
}

function countByOutcome(calls: readonly LoggedCall[]): ServerCalls[string] {
  const counts = sumGroups(
    calls,
    ({ outcome }) => outcome,
    ({ length }) => length,
  );
  return { calls: calls.length, ...counts };
}

function makeRow(call: LoggedCall, { conversations }: MergedLogs): CallRow {
  const isChild = conversations.get(call.conversation)?.isLoggedChild === true;
  return {
    id: call.id,
    server: call.server,
    tool: call.tool,
    method: call.method,
    outcome: call.outcome,
    arguments_bytes: call.argumentBytes,
    visible_bytes: call.bytes,
    images: call.images,
    visible: call.visible.replace("_", " "),
    ts: call.at === null ? null : new Date(call.at).toISOString(),
    agent: isChild ? call.conversation : null,
    ...(call.durationMs === null ? {} : { duration_ms: call.durationMs }),
  };
}

type UsageSum = {
  readonly requests: number;
  readonly input_uncached: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly output: number;
  readonly reasoning: number;
};

export function sumUsage(requests: readonly LoggedRequest[]): UsageSum {
  const usage = { ...noUsage };
  // Mutates one object: a new one per request would dominate an import's memory.
  for (const request of requests) {
    usage.uncached += request.usage.uncached;
    usage.cacheRead += request.usage.cacheRead;
    usage.cacheWrite5m += request.usage.cacheWrite5m;
    usage.cacheWrite1h += request.usage.cacheWrite1h;
    usage.output += request.usage.output;
    usage.reasoning += request.usage.reasoning;
  }
  return {
    requests: sumBy(requests, ({ count }) => count),
    input_uncached: usage.uncached,
    cache_read: usage.cacheRead,
    cache_write_5m: usage.cacheWrite5m,
    cache_write_1h: usage.cacheWrite1h,
    output: usage.output,
    reasoning: usage.reasoning,
  };
}

export function sumUsageByKey(
  requests: readonly LoggedRequest[],
  key: (request: LoggedRequest) => string,
): { readonly [key: string]: UsageSum } {
  return sumGroups(requests, key, sumUsage);
}

function sumGroups<Item, Sum>(
  items: readonly Item[],
  key: (item: Item) => string,
  sum: (group: readonly Item[]) => Sum,
): { readonly [key: string]: Sum } {
  const groups = Map.groupBy(items, key);
  return Object.fromEntries([...groups].map(([name, group]) => [name, sum(group)]));
}

type CallTokens = {
  readonly arguments: number;
  readonly answers: number;
  readonly unknown: number; // the number of calls with an uncounted answer
};

type TokensByServer = {
  readonly [server: string]: { readonly [tool: string]: CallTokens };
};

function sumTokensByServer(calls: readonly LoggedCall[]): TokensByServer {
  const counted = calls.filter(({ argumentTokens }) => argumentTokens !== null);
  return sumGroups(counted, ({ server }) => server, sumTokensByTool);
}

function sumTokensByTool(calls: readonly LoggedCall[]): TokensByServer[string] {
  return sumGroups(calls, ({ tool }) => tool, sumCallTokens);
}

function sumCallTokens(calls: readonly LoggedCall[]): CallTokens {
  return {
    arguments: sumBy(calls, ({ argumentTokens }) => argumentTokens ?? 0),
    answers: sumBy(calls, ({ tokens }) => tokens ?? 0),
    unknown: calls.filter(({ tokens, visible }) => tokens === null && visible !== "none").length,
  };
}
