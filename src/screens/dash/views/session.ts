import { dashLiveMs } from "../../limits.ts";
import { dayText, type TimeZone } from "#history/reports/calendar.ts";
import type { DashModel, SessionEntry } from "../model/model.ts";
import {
  formatReportCommand,
  type MarkRow,
  type SessionView,
  type ViewChoice,
  type ViewRows,
  type CallRow,
} from "../view.ts";
import { buildScope, type ViewSetting } from "./scope.ts";
import type { CallTable } from "../model/call-table.ts";

export const dashCallRowsMax = 5_000;

export function buildSessionView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): SessionView {
  const { session: id = "" } = choice;
  const entry = model.sessions.get(id);
  const { head } = buildScope(model, choice, setting);
  const rows = [...model.calls.selectRows({ fromMs: model.fromMs, session: id })];
  const shown = rows.slice(-dashCallRowsMax);
  const beganMs = entry?.beganMs ?? 0;
  const origin = { zone: model.zone, beganMs };
  const calls = shown.map((row) => [String(row), buildCallRow(model.calls, row, origin)] as const);
  return {
    head: {
      ...head,
      ...(entry ? findPeriod(entry, model, choice) : {}),
      estimation: entry?.estimation ?? null,
      session_id: id,
      session: entry ? describeSession(entry, { model, rows, nowMs: setting.nowMs }) : null,
      calls_left_out: rows.length - shown.length,
    },
    tables: { calls: Object.fromEntries(calls), marks: buildMarkRows(entry) },
  };
}

// A session may be older than the chosen period.
function findPeriod(
  { record, beganMs, newestMs }: SessionEntry,
  { zone, fromMs }: DashModel,
  { screen, period }: ViewChoice,
): Pick<SessionView["head"], "command" | "first" | "last"> {
  const formatDay = (ms: number): string => dayText(zone.findDay(Math.max(ms, fromMs)));
  const [first, last] = [formatDay(beganMs), formatDay(newestMs)];
  const choice = { screen, period, server: record?.server };
  const command = formatReportCommand({ choice, since: first, until: last, timezone: zone.name });
  return { command, first, last };
}

type FactSource = {
  readonly model: DashModel;
  readonly rows: readonly number[];
  readonly nowMs: number;
};

function describeSession(
  entry: SessionEntry,
  { model: { calls, zone }, rows, nowMs }: FactSource,
): SessionView["head"]["session"] {
  const { definitions, end, context, beganMs, newestMs } = entry;
  const outcomes = rows.map((row) => calls.readOutcome(row));
  const countOutcomes = (...names: readonly string[]): number =>
    outcomes.filter((outcome) => names.includes(outcome)).length;
  return {
    began: new Date(beganMs).toISOString(),
    began_local: zone.minuteText(beganMs),
    ...describeParties(entry),
    definition_tokens: definitions?.resident_tokens ?? 0,
    context_tokens: context.tokens,
    calls: rows.length,
    errors: countOutcomes("tool_error", "rpc_error"),
    refused: countOutcomes("refused"),
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
