import { expect, test } from "bun:test";
import { ImportedHistory, KnownDefinitions } from "#history/reports/imported/imported-history.ts";
import { addImportedFacts } from "#history/reports/imported/imported-facts.ts";
import { buildOverviewView } from "#screens/dash/views/overview.ts";
import { buildToolView } from "#screens/dash/views/tool.ts";
import { call } from "../../../history/reports/imported/made-history.ts";
import { buildSessionView, dashCallRowsMax } from "#screens/dash/views/session.ts";
import {
  alertRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  protocolRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";
import { madePrices } from "../../../support/made-prices.ts";

const choice = viewChoice({ screen: "session", session: "a" });
const common = { session_id: "a", server: "github" };
const at = (second: number): string => `2026-11-13T10:00:${String(second).padStart(2, "0")}.000Z`;

test("the notes about costs of an unknown session name no server", () => {
  const unknown = viewChoice({ screen: "session", session: "gone", cost: "on" });
  const { head } = buildSessionView(dashModel(), unknown, viewSetting({ prices: madePrices() }));
  expect(head.notes[0]).toBe(
    "The report command and the cost notes below cover all sessions on the days of this session:",
  );
});

test("a session has its calls in order, its context after each, and its alerts", () => {
  const tools = [toolDefinition("search", 40)];
  const model = dashModel([
    sessionRecord({ ...common, seq: 0, ts: at(0), client_name: "codex", window: 200_000 }),
    definitionsRecord({ ...common, seq: 1, ts: at(1), tools, tools_total: 1, resident_tokens: 40 }),
    callRecord({ ...common, seq: 2, ts: at(5), tool: "search", total_tokens: 100 }),
    alertRecord({ ...common, seq: 3, ts: at(5), alert: "would_truncate", tool: "search" }),
    callRecord({
      ...common,
      seq: 4,
      ts: at(9),
      tool: "read",
      total_tokens: 7,
      outcome: "rpc_error",
    }),
    callRecord({ ...common, seq: 5, ts: at(9), tool: "read", total_tokens: 0, outcome: "refused" }),
    endRecord({ ...common, seq: 6, ts: at(10), duration_ms: 10_000 }),
    callRecord({ session_id: "b", seq: 1, ts: at(6) }),
  ]);
  const { head, tables } = buildSessionView(model, choice, viewSetting());
  expect(head.session).toMatchObject({
    began: at(0),
    began_local: "2026-11-13 11:00",
    server: "github",
    client: "codex",
    window: 200_000,
    duration_ms: 10_000,
    is_live: false,
  });
  expect(head.row).toMatchObject({ resident_tokens: 40, calls: 3, errors: 1, refused: 1 });
  const calls = Object.values(tables.calls);
  expect(calls.map(({ offset_ms: offset, context_tokens: context }) => [offset, context])).toEqual([
    [5_000, 140],
    [9_000, 147],
    [9_000, 147],
  ]);
  expect(calls[0]).toMatchObject({ time: "11:00:05", tool: "search", outcome: "ok" });
  expect(Object.values(tables.marks)).toMatchObject([
    { alert: "would_truncate", tool: "search", offset_ms: 5_000 },
  ]);
});

test("an unknown session is none, and nothing fails", () => {
  const { head, tables } = buildSessionView(dashModel([]), choice, viewSetting());
  expect(head).toMatchObject({ session: null, row: null, session_id: "a", estimation: null });
  expect(tables).toEqual({ calls: {}, marks: {} });
});

test("a long session shows its newest calls, and counts the others", () => {
  const calls = Array.from({ length: dashCallRowsMax + 3 }, (_, seq) =>
    callRecord({ ...common, seq, ts: at(1) }),
  );
  const { head, tables } = buildSessionView(dashModel(calls), choice, viewSetting());
  expect(head.calls_left_out).toBe(3);
  expect(Object.values(tables.calls)).toHaveLength(dashCallRowsMax);
  expect(Object.values(tables.calls)[0]?.seq).toBe(3);
});

test("the command is of the days of the session, whatever the period of other screens is", () => {
  const old = { ...common, server: "git hub" };
  const model = dashModel([
    sessionRecord({ ...old, seq: 0, ts: "2026-10-02T22:30:00.000Z" }),
    callRecord({ ...old, seq: 1, ts: "2026-10-04T10:00:00.000Z" }),
  ]);
  const { head } = buildSessionView(model, { ...choice, period: "today" }, viewSetting());
  expect([head.first, head.last]).toEqual(["2026-10-03", "2026-10-04"]);
  expect(head.command).toBe(
    "mcp-meter report --by session --since 2026-10-03 --until 2026-10-04 --server 'git hub' --timezone Europe/Berlin",
  );
});

function importedModel() {
  const ts = "2026-11-13T10:00:00.000Z";
  const model = dashModel([]);
  const history = new ImportedHistory();
  const told = { server: "docs", tool: "fetch", session_id: "logged", ts, duration_ms: null };
  history.add(call(0, { ...told, input_tokens: 5, output_tokens: 20, duration_ms: 30 }));
  history.add(call(1, { ...told, ts: at(9), input_tokens: 5, output_tokens: 10 }));
  model.addHistory({ history, matchedCalls: new Map() });
  model.completeWith((wire, { fromMs }) => {
    const plan = { ranges: [{ fromMs, toMs: Infinity }], zone: model.zone };
    const known = new KnownDefinitions(wire.listDefinitions());
    return addImportedFacts(wire.makeFacts(), { history, matchedCalls: new Map(), known }, plan)
      .facts;
  });
  return model;
}

test("a session of a log has its calls, and is one that the overview links to", () => {
  const model = importedModel();
  const overview = buildOverviewView(model, viewChoice(), viewSetting());
  const [linked] = Object.values(overview.tables.sessions);
  expect(linked?.session_id).toBe("logged");
  const chosen = viewChoice({ screen: "session", session: "logged" });
  const { head, tables } = buildSessionView(model, chosen, viewSetting());
  expect(head.session).toMatchObject({ server: "docs", is_logged: true, duration_ms: 9_000 });
  expect(head.row).toMatchObject({ calls: 2, total_tokens: 40, imported_calls: 2 });
  const calls = Object.values(tables.calls);
  expect(calls).toMatchObject([
    { tool: "fetch", total_tokens: 25, duration_ms: 30, wire_tokens: null, context_tokens: 25 },
    { tool: "fetch", total_tokens: 15, duration_ms: null, offset_ms: 9_000, context_tokens: 40 },
  ]);
});

test("a tool of a log has its calls, their sizes and their average", () => {
  const chosen = viewChoice({ screen: "tool", server: "docs", tool: "fetch" });
  const { head, tables } = buildToolView(importedModel(), chosen, viewSetting());
  expect(head.row).toMatchObject({ calls: 2, average_tokens: 20, p95_tokens: 25 });
  expect(Object.values(tables.histogram)).toMatchObject([{ calls: 2 }]);
  expect(Object.values(tables.calls)).toHaveLength(2);
});

test("a session lasts until its end record, as in report --by session", () => {
  const model = dashModel([
    sessionRecord({ ...common, seq: 0, ts: at(0) }),
    callRecord({ ...common, seq: 1, ts: at(1) }),
    endRecord({ ...common, seq: 2, ts: at(7), duration_ms: 7_000 }),
  ]);
  expect(buildSessionView(model, choice, viewSetting()).head.row?.duration_ms).toBe(7_000);
  const killed = dashModel([
    sessionRecord({ ...common, seq: 0, ts: at(0) }),
    protocolRecord({ ...common, seq: 1, ts: at(2), method: "initialize" }),
  ]);
  expect(buildSessionView(killed, choice, viewSetting()).head.row?.duration_ms).toBe(2_000);
});
