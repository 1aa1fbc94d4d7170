import { dayText, type DayNumber, type TimeZone } from "#history/reports/calendar.ts";
import type { DashModel, SessionEntry } from "../model/model.ts";
import {
  formatReportCommand,
  type MarkRow,
  type SessionView,
  type ViewChoice,
  type ViewRows,
  type CallRow,
} from "../view.ts";
import { allRows, buildScope, findRow, type Scope, type ViewSetting, dashLiveMs } from "./scope.ts";
import type { CallTable } from "../model/call-table.ts";

export const dashCallRowsMax = 5_000;

export function buildSessionView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): SessionView {
  const { session: id = "" } = choice;
  const entry = model.sessions.get(id);
  const { server } = entry?.record ?? {};
  const days = entry && findDays(entry, model);
  const all = { ...choice, period: "all", server, client: undefined } as const;
  const tables = [{ ...allRows, by: ["session"] }] as const;
  const costedTogether = `all sessions of ${server} in this period`;
  const plan = { tables, costedTogether, ...(days && { days }) };
  const scope = buildScope(model, all, setting, plan);
  const rows = [...model.calls.selectRows({ fromMs: model.fromMs, session: id })];
  const shown = rows.slice(-dashCallRowsMax);
  const beganMs = entry?.beganMs ?? 0;
  const origin = { zone: model.zone, beganMs };
  const calls = shown.map((row) => [String(row), buildCallRow(model.calls, row, origin)] as const);
  return {
    head: {
      ...scope.head,
      ...(days ? describeDays(days, scope) : {}),
      estimation: entry?.estimation ?? null,
      session_id: id,
      session: entry ? describeSession(entry, model, setting.nowMs) : null,
      row: findRow(scope, (row) => row.session_id === id),
      calls_left_out: rows.length - shown.length,
    },
    tables: { calls: Object.fromEntries(calls), marks: buildMarkRows(entry) },
  };
}

// A session may be older than the chosen period.
function findDays(
  { beganMs, newestMs }: SessionEntry,
  { zone, fromMs }: DashModel,
): readonly [first: DayNumber, last: DayNumber] {
  const findDay = (ms: number): DayNumber => zone.findDay(Math.max(ms, fromMs));
  return [findDay(beganMs), findDay(newestMs)];
}

function describeDays(
  days: readonly [first: DayNumber, last: DayNumber],
  { choice, model: { zone } }: Scope,
): Pick<SessionView["head"], "command" | "first" | "last"> {
  const [first, last] = [dayText(days[0]), dayText(days[1])];
  const command = formatReportCommand({ choice, since: first, until: last, timezone: zone.name });
  return { command, first, last };
}

function describeSession(
  entry: SessionEntry,
  { zone }: DashModel,
  nowMs: number,
): SessionView["head"]["session"] {
  const { end, beganMs, newestMs } = entry;
  return {
    began: new Date(beganMs).toISOString(),
    began_local: zone.minuteText(beganMs),
    ...describeParties(entry),
    duration_ms: end?.duration_ms ?? null,
    is_live: end === undefined && newestMs >= nowMs - dashLiveMs,
  };
}

type Parties = "server" | "client" | "client_version" | "model" | "window";

function describeParties({
  record,
}: SessionEntry): Pick<NonNullable<SessionView["head"]["session"]>, Parties> {
  if (!record) return { server: "", client: null, client_version: null, model: null, window: 0 };
  const { server, client_name: client, client_version, model, window } = record;
  return { server, client, client_version, model, window };
}

function buildMarkRows(entry: SessionEntry | undefined): ViewRows<MarkRow> {
  const rows = (entry?.marks ?? []).map(({ seq, ts, alert, tool, detail }) => {
    const offset = Math.max(0, Date.parse(ts) - (entry?.beganMs ?? 0));
    return [String(seq), { seq, offset_ms: offset, alert, tool, detail }] as const;
  });
  return Object.fromEntries(rows);
}

export function buildCallRow(
  calls: CallTable,
  row: number,
  { zone, beganMs }: { readonly zone: TimeZone; readonly beganMs: number },
): CallRow {
  const ms = calls.readTimeMs(row);
  const ts = new Date(ms).toISOString();
  const [, minute = ""] = zone.minuteText(ms).split(" ");
  const [input, output] = [calls.readAmount(row, "input"), calls.readAmount(row, "output")];
  return {
    seq: calls.readAmount(row, "seq"),
    ts,
    time: `${minute}${ts.slice(16, 19)}`,
    offset_ms: Math.max(0, ms - beganMs),
    server: calls.readServer(row),
    tool: calls.readTool(row),
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    visible_tokens: calls.readAmount(row, "visible"),
    wire_tokens: calls.readAmount(row, "wire"),
    duplicate_tokens: calls.readAmount(row, "duplicate"),
    duration_ms: calls.readAmount(row, "durationMs"),
    outcome: calls.readOutcome(row),
    context_tokens: calls.readAmount(row, "context"),
  };
}
