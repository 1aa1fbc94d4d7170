import { dashLiveMs } from "../../limits.ts";
import { dayText, type TimeZone } from "#history/reports/calendar.ts";
import type { DashModel, SessionEntry } from "../model/model.ts";
import {
  reportCommand,
  type MarkRow,
  type SessionView,
  type ViewChoice,
  type ViewRows,
  type CallRow,
} from "../view.ts";
import { scopeOf, type ViewSetting } from "./scope.ts";
import type { CallTable } from "../model/call-table.ts";

export const dashCallRowsMax = 5_000;

export function sessionView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): SessionView {
  const { session: id = "" } = choice;
  const entry = model.sessions.get(id);
  const { head } = scopeOf(model, choice, setting);
  const rows = [...model.calls.rows({ fromMs: model.fromMs, session: id })];
  const shown = rows.slice(-dashCallRowsMax);
  const beganMs = entry?.beganMs ?? 0;
  const place = { zone: model.zone, beganMs };
  const calls = shown.map((row) => [String(row), callRow(model.calls, row, place)] as const);
  return {
    head: {
      ...head,
      ...(entry ? periodOf(entry, model, choice) : {}),
      estimation: entry?.estimation ?? null,
      session_id: id,
      session: entry ? sessionFacts(entry, { model, rows, nowMs: setting.nowMs }) : null,
      calls_left_out: rows.length - shown.length,
    },
    tables: { calls: Object.fromEntries(calls), marks: marksOf(entry) },
  };
}

/** A session may be older than the period of other screens. */
function periodOf(
  { record, beganMs, newestMs }: SessionEntry,
  { zone, fromMs }: DashModel,
  { screen, period }: ViewChoice,
): Pick<SessionView["head"], "command" | "first" | "last"> {
  const dayAt = (ms: number): string => dayText(zone.dayOf(Math.max(ms, fromMs)));
  const [first, last] = [dayAt(beganMs), dayAt(newestMs)];
  const choice = { screen, period, server: record?.server };
  const command = reportCommand({ choice, since: first, until: last, timezone: zone.name });
  return { command, first, last };
}

type FactSource = {
  readonly model: DashModel;
  readonly rows: readonly number[];
  readonly nowMs: number;
};

function sessionFacts(
  entry: SessionEntry,
  { model: { calls, zone }, rows, nowMs }: FactSource,
): SessionView["head"]["session"] {
  const { definitions, end, context, beganMs, newestMs } = entry;
  const outcomes = rows.map((row) => calls.outcomeOf(row));
  const countOf = (...names: readonly string[]): number =>
    outcomes.filter((outcome) => names.includes(outcome)).length;
  return {
    began: new Date(beganMs).toISOString(),
    began_local: zone.minuteText(beganMs),
    ...partiesOf(entry),
    definition_tokens: definitions?.resident_tokens ?? 0,
    context_tokens: context.tokens,
    calls: rows.length,
    errors: countOf("tool_error", "rpc_error"),
    refused: countOf("refused"),
    duration_ms: end?.duration_ms ?? null,
    is_live: end === undefined && newestMs >= nowMs - dashLiveMs,
  };
}

type Parties = "server" | "client" | "client_version" | "model" | "window";

function partiesOf({
  record,
}: SessionEntry): Pick<NonNullable<SessionView["head"]["session"]>, Parties> {
  if (!record) return { server: "", client: null, client_version: null, model: null, window: 0 };
  const { server, client_name: client, client_version, model, window } = record;
  return { server, client, client_version, model, window };
}

function marksOf(entry: SessionEntry | undefined): ViewRows<MarkRow> {
  const rows = (entry?.marks ?? []).map(({ seq, ts, alert, tool, detail }) => {
    const offset = Math.max(0, Date.parse(ts) - (entry?.beganMs ?? 0));
    return [String(seq), { seq, offset_ms: offset, alert, tool, detail }] as const;
  });
  return Object.fromEntries(rows);
}

export function callRow(
  calls: CallTable,
  row: number,
  { zone, beganMs }: { readonly zone: TimeZone; readonly beganMs: number },
): CallRow {
  const ms = calls.msOf(row);
  const ts = new Date(ms).toISOString();
  const [, minute = ""] = zone.minuteText(ms).split(" ");
  const [input, output] = [calls.amountOf(row, "input"), calls.amountOf(row, "output")];
  return {
    seq: calls.amountOf(row, "seq"),
    ts,
    time: `${minute}${ts.slice(16, 19)}`,
    offset_ms: Math.max(0, ms - beganMs),
    server: calls.serverOf(row),
    tool: calls.toolOf(row),
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    visible_tokens: calls.amountOf(row, "visible"),
    wire_tokens: calls.amountOf(row, "wire"),
    duplicate_tokens: calls.amountOf(row, "duplicate"),
    duration_ms: calls.amountOf(row, "durationMs"),
    outcome: calls.outcomeOf(row),
    context_tokens: calls.amountOf(row, "context"),
  };
}
