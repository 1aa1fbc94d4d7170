import { formatDay, type DayNumber } from "#history/reports/calendar.ts";
import type { DashModel, LoggedSession, SessionEntry } from "../model/model.ts";
import {
  formatReportCommand,
  type MarkRow,
  type SessionDetails,
  type SessionView,
  type ViewChoice,
  type ViewRows,
  type CallRow,
} from "../view.ts";
import { allRows, buildScope, findRow, type Scope, type ViewContext, isLive } from "./scope.ts";

export const dashCallRowsMax = 5_000;

export function buildSessionView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): SessionView {
  const { session: id = "" } = choice;
  const entry = model.sessions.get(id);
  const logged = entry ? undefined : model.loggedSessions.get(id);
  const { server } = entry?.record ?? logged ?? {};
  const times = entry ?? logged;
  const days = times && findDays(times, model);
  const sessionChoice = { ...choice, period: "all", server, client: undefined } as const;
  const tables = [{ ...allRows, by: ["session"] }] as const;
  const plan = { tables, costNotesScope: describeSessions(server), ...(days && { days }) };
  const scope = buildScope(model, sessionChoice, context, plan);
  const rows = [...model.calls.selectRows({ fromMs: model.fromMs, session: id })];
  const shownRows = rows.slice(-dashCallRowsMax);
  const calls = shownRows.map((row) => [String(row), buildCallRow(model, row)] as const);
  return {
    head: {
      ...scope.head,
      ...(days ? buildDays(days, scope) : {}),
      estimation: times?.estimation ?? null,
      session_id: id,
      session: buildSession({ entry, logged }, model, context.nowMs),
      row: findRow(scope, (row) => row.session_id === id),
      calls_left_out: rows.length - shownRows.length,
    },
    tables: { calls: Object.fromEntries(calls), marks: buildMarkRows(entry) },
  };
}

function describeSessions(server: string | undefined): string {
  return `all sessions${server === undefined ? "" : ` of ${server}`} on the days of this session`;
}

function findDays(
  { beganMs, newestMs }: Pick<SessionEntry, "beganMs" | "newestMs">,
  { zone, fromMs }: DashModel,
): readonly [first: DayNumber, last: DayNumber] {
  const findDay = (ms: number): DayNumber => zone.findDay(Math.max(ms, fromMs));
  return [findDay(beganMs), findDay(newestMs)];
}

function buildDays(
  days: readonly [first: DayNumber, last: DayNumber],
  { choice, model: { zone } }: Scope,
): Pick<SessionView["head"], "command" | "first" | "last"> {
  const [first, last] = [formatDay(days[0]), formatDay(days[1])];
  const command = formatReportCommand({ choice, since: first, until: last, timezone: zone.name });
  return { command, first, last };
}

type SessionSources = {
  readonly entry: SessionEntry | undefined;
  readonly logged: LoggedSession | undefined;
};

const recordDefaults = {
  server: "",
  client_name: null,
  client_version: null,
  model: null,
  window: 0,
};

function buildSession(
  { entry, logged }: SessionSources,
  model: DashModel,
  nowMs: number,
): SessionDetails | null {
  if (!entry) return logged ? buildLoggedSession(logged, model) : null;
  const { zone } = model;
  const { record = recordDefaults, end, beganMs } = entry;
  return {
    began: new Date(beganMs).toISOString(),
    began_local: zone.formatMinute(beganMs),
    server: record.server,
    client: record.client_name,
    client_version: record.client_version,
    model: record.model,
    window: record.window,
    duration_ms: end?.duration_ms ?? null,
    is_live: isLive(entry, nowMs),
    is_logged: false,
  };
}

function buildLoggedSession(
  { client, server, model, beganMs, newestMs }: LoggedSession,
  { zone }: DashModel,
): SessionDetails {
  return {
    began: new Date(beganMs).toISOString(),
    began_local: zone.formatMinute(beganMs),
    server,
    client,
    client_version: null,
    model,
    window: 0,
    duration_ms: newestMs - beganMs,
    is_live: false,
    is_logged: true,
  };
}

function buildMarkRows(entry: SessionEntry | undefined): ViewRows<MarkRow> {
  const rows = (entry?.marks ?? []).map(({ seq, ts, alert, tool, detail }) => {
    const offset = Math.max(0, Date.parse(ts) - (entry?.beganMs ?? 0));
    return [String(seq), { seq, offset_ms: offset, alert, tool, detail }] as const;
  });
  return Object.fromEntries(rows);
}

export function buildCallRow(
  { calls, sessions, loggedSessions, zone }: DashModel,
  row: number,
): CallRow {
  const ms = calls.readTimeMs(row);
  const id = calls.readSession(row);
  const entry = sessions.get(id);
  const beganMs = (entry ?? loggedSessions.get(id))?.beganMs ?? ms;
  const readMetered = (name: "wire" | "duplicate"): number | null =>
    entry ? calls.readAmount(row, name) : null;
  const durationMs = calls.readAmount(row, "durationMs");
  const ts = new Date(ms).toISOString();
  const seconds = ts.slice("2026-11-22T10:30".length, "2026-11-22T10:30:00".length);
  const [, minute = ""] = zone.formatMinute(ms).split(" ");
  const [input, output] = [calls.readAmount(row, "input"), calls.readAmount(row, "output")];
  return {
    seq: calls.readAmount(row, "seq"),
    ts,
    time: `${minute}${seconds}`,
    offset_ms: Math.max(0, ms - beganMs),
    server: calls.readServer(row),
    tool: calls.readTool(row),
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    visible_tokens: calls.readAmount(row, "visible"),
    wire_tokens: readMetered("wire"),
    duplicate_tokens: readMetered("duplicate"),
    duration_ms: entry || durationMs > 0 ? durationMs : null,
    outcome: calls.readOutcome(row),
    context_tokens: calls.readAmount(row, "context"),
  };
}
