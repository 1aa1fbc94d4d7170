import { expect, test } from "bun:test";
import { buildToolView, dashLastCallsMax } from "#screens/dash/views/tool.ts";
import { lockedDefinition, lockWith } from "../../../support/locks.ts";
import { callRecord, sessionRecord } from "../../../support/made-records.ts";
import { madePrices } from "../../../support/made-prices.ts";
import { findListedPrices } from "#records/money/listed-prices.ts";
import { PriceBook } from "#records/money/price-book.ts";
import { dashCallsMax } from "#screens/dash/model/call-table.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";

test("a tool has its row, its definition, its newest calls and its budgets", () => {
  const choice = viewChoice({ screen: "tool", server: "github", tool: "search_code" });
  const status = { server: "github", tool: "search_code", unit: "tokens", per: "day" } as const;
  const more = {
    owner: "fleet",
    user: null,
    pattern: "search_code",
    limit: 9,
    spent: 3,
    held: 0,
    left: 6,
  } as const;
  const counter = { ...status, ...more, action: "refuse", refills_at: "" };
  const counters = [counter, { ...counter, server: "memory" }, { ...counter, tool: "get_issue" }];
  const { head, tables } = buildToolView(dashModel(), choice, viewSetting({ counters }));
  expect(head.row).toMatchObject({ server: "github", tool: "search_code" });
  expect(head.definition_tokens).toBe(310);
  expect(head.counters).toEqual([counter]);
  const calls = Object.values(tables.calls);
  expect(calls.length).toBeLessThanOrEqual(dashLastCallsMax);
  expect(new Set(calls.map(({ tool }) => tool))).toEqual(new Set(["search_code"]));
  const answered = (head.row?.calls ?? 0) - (head.row?.refused ?? 0);
  const counted = Object.values(tables.histogram).reduce((sum, one) => sum + one.calls, 0);
  expect(counted).toBe(answered);
});

test("calls are the newest, at most as many as the limit", () => {
  const records = Array.from({ length: dashLastCallsMax + 10 }, (_, seq) => {
    const ts = new Date(Date.parse("2026-11-13T10:00:00.000Z") - seq * 1_000).toISOString();
    return callRecord({ seq, ts, server: "a", tool: "t", output_tokens: seq });
  });
  const choice = viewChoice({ screen: "tool", server: "a", tool: "t" });
  const { tables } = buildToolView(dashModel(records), choice, viewSetting());
  expect(Object.values(tables.calls).map(({ seq }) => seq)).toEqual([
    ...Array(dashLastCallsMax).keys(),
  ]);
});

test("the histogram counts as many calls as the page has room for (slow)", () => {
  const model = dashModel([sessionRecord({ server: "a" })]);
  const amounts = { seq: 0, input: 100, output: 100, visible: 0, wire: 0, duplicate: 0 };
  const call = { ...amounts, durationMs: 0, context: 0, outcome: "ok" } as const;
  const session = sessionRecord().session_id;
  while (model.calls.size < dashCallsMax)
    model.calls.add({ ...call, ms: model.fromMs, session, server: "a", tool: "t" });
  const choice = viewChoice({ screen: "tool", server: "a", tool: "t", period: "all" });
  const { tables } = buildToolView(model, choice, viewSetting());
  expect(tables.histogram["200"]?.calls).toBe(dashCallsMax);
});

test("the worst case is that of a lock of the server", () => {
  const choice = viewChoice({ screen: "tool", server: "github", tool: "search_code" });
  const meta = { "anthropic/maxResultSizeChars": 35_000 };
  const lock = lockWith([lockedDefinition({ name: "search_code", _meta: meta })]);
  const locks = [{ file: "mcp-meter.lock", server: "github", lock }];
  const { head } = buildToolView(dashModel(), choice, viewSetting({ locks }));
  expect(head.worst_case).toMatchObject({ tokens: 10_000, is_listed: false });
  const other = buildToolView(dashModel(), { ...choice, server: "memory" }, viewSetting({ locks }));
  expect(other.head.worst_case).toBeNull();
});

test("an unknown tool is none", () => {
  const choice = viewChoice({ screen: "tool", server: "x", tool: "y" });
  const { head, tables } = buildToolView(dashModel(), choice, viewSetting());
  expect(head).toMatchObject({ row: null, definition_tokens: null, counters: [] });
  expect(tables).toEqual({ histogram: {}, calls: {} });
});

test("the notes about costs name the calls that they are for", () => {
  const choice = viewChoice({ screen: "tool", server: "github", tool: "search_code", cost: "on" });
  const { head } = buildToolView(dashModel(), choice, viewSetting({ prices: madePrices() }));
  expect(head.notes[0]).toBe(
    "The report command and the cost notes below cover all tools of github:",
  );
});

test("a note about costs names a command that has the option", () => {
  const choice = viewChoice({ screen: "tool", server: "a", tool: "t", cost: "on" });
  const session = sessionRecord({ seq: 0, server: "a", client_name: "codex" });
  const call = callRecord({ seq: 1, server: "a", tool: "t", ts: session.ts });
  const prices = new PriceBook("list", [findListedPrices]);
  const { head } = buildToolView(dashModel([session, call]), choice, viewSetting({ prices }));
  expect(head.notes.at(-1)).toEndWith(
    "the client's default; mcp-meter report --cost --model NAME chooses another",
  );
});
