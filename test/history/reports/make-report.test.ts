import { describe, expect, test } from "bun:test";
import type { CallRecord, MeterRecord, ProtocolRecord } from "#records/record.ts";
import { axes } from "#history/reports/usage-report.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import { makeReport, type ReportPlan } from "#history/reports/make-report.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { parseRange } from "#history/reports/time-range.ts";
import {
  callRecord,
  definitionsRecord,
  protocolRecord,
  sessionRecord,
} from "../../support/made-records.ts";
import { MadeNumbers, madeUsage } from "../../support/made-usage.ts";
import { noFilters, usagePlan } from "../../support/usage-facts.ts";
import { by, expectReportToHold, reportOf } from "../../support/usage-parts.ts";

const calls = (made: readonly Partial<CallRecord>[]): MeterRecord[] => [
  sessionRecord(),
  definitionsRecord({ seq: 1 }),
  ...made.map((call, at) => callRecord({ seq: at + 2, ...call })),
];

const keepSpentDays = (days: ReadonlyMap<string, number>) =>
  Object.fromEntries([...days].filter(([, tokens]) => tokens > 0));

const poll = (members: Partial<ProtocolRecord>) => protocolRecord({ reader: "view", ...members });

describe("makeReport", () => {
  test.each([1, 2])("the parts add up to the whole, in any order of records (seed %d)", (seed) => {
    expectReportToHold(
      new MadeNumbers(seed),
      axes.map((axis) => by(axis)),
    );
  });

  test("days, calls and tokens equal a plain sum over the records", () => {
    const records = madeUsage().flat();
    const zone = new TimeZone("Europe/Berlin");
    const date = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" });
    const sums = new Map<string, number>();
    for (const record of records) {
      if (record.type !== "call") continue;
      const day = date.format(Date.parse(record.ts));
      sums.set(day, (sums.get(day) ?? 0) + record.total_tokens);
    }
    const { blocks } = reportOf(records, { zone });
    const days = new Map<string, number>();
    for (const { tables } of blocks) {
      for (const { day = "", total_tokens: tokens } of tables[0]?.rows ?? []) {
        days.set(day, (days.get(day) ?? 0) + tokens);
      }
    }
    expect(keepSpentDays(days)).toEqual(keepSpentDays(sums));
  });

  test("sessions of different estimators are never added up", () => {
    const records = [
      sessionRecord({ session_id: "a", estimator: "o200k" }),
      callRecord({ session_id: "a", seq: 1 }),
      sessionRecord({ session_id: "b", estimator: "claude" }),
      callRecord({ session_id: "b", seq: 1 }),
      callRecord({ session_id: "torn", seq: 1 }),
    ];
    const { sum, blocks } = reportOf(records);
    const counts = blocks.map(({ estimation, totals }) => [estimation?.estimator, totals.calls]);
    expect(counts).toEqual([
      ["claude", 1],
      ["o200k", 1],
      [undefined, 1],
    ]);
    expect(sum).toMatchObject({ estimation: null, totals: { calls: 3, sessions: 3 } });
    expect(sum.counted_by.map(({ share }) => share)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  test("a session without calls counts for its day and server, and for no tool", () => {
    const [block] = reportOf([sessionRecord()], { tables: [by("server"), by("tool")] }).blocks;
    expect(block?.totals).toMatchObject({ sessions: 1, calls: 0, definition_lists: 0 });
    expect(block?.tables.map(({ rows }) => rows.length)).toEqual([1, 0]);
  });

  test("definitions are a row of their own among tools", () => {
    const records = [sessionRecord(), definitionsRecord({ seq: 1 }), callRecord({ seq: 2 })];
    const [block] = reportOf(records, { tables: [by("tool")] }).blocks;
    const rows = block?.tables[0]?.rows.map(({ tool, context_tokens: tokens }) => [tool, tokens]);
    expect(rows).toEqual([
      ["(definitions)", 160],
      ["search", 110],
    ]);
  });

  test("patterns choose names; a pattern for tools leaves definitions out", () => {
    const records = calls([{ tool: "read_file" }, { tool: "write_file" }, { tool: "search" }]);
    const totals = (filters: Partial<ReportPlan["filters"]>) =>
      reportOf(records, { filters: { ...noFilters, ...filters } }).blocks[0]?.totals;
    expect(totals({ tools: ["*_file"] })).toMatchObject({
      calls: 2,
      listed_tokens: 0,
      sessions: 1,
    });
    expect(totals({ tools: ["search", "write*"] })).toMatchObject({ calls: 2 });
    expect(totals({ servers: ["gard??"] })).toMatchObject({ calls: 3, listed_tokens: 160 });
    expect(totals({ servers: ["shed"] })).toBeUndefined();
    expect(totals({ clients: ["ho*"] })).toMatchObject({ calls: 3 });
    expect(totals({ clients: ["*"], tools: ["no"] })).toBeUndefined();
  });

  test("states its period in UTC and in local days", () => {
    const zone = new TimeZone("Europe/Berlin");
    const period = (since?: string, until?: string) => {
      const range = parseRange({ since, until }, zone, Date.UTC(2026, 10, 22, 12));
      const { blocks: _blocks, sum: _sum, ...rest } = reportOf([], { zone, range });
      return rest;
    };
    expect(period("2026-11-01", "2026-11-02")).toEqual({
      schema_version: "1.0",
      since: "2026-10-31T23:00:00.000Z",
      until: "2026-11-02T23:00:00.000Z",
      timezone: "Europe/Berlin",
      first: "2026-11-01",
      last: "2026-11-02",
    });
    expect(period("24h")).toMatchObject({ first: "2026-11-21 13:00", until: null, last: null });
    expect(period()).toMatchObject({ since: null, first: null });
  });

  test("requests of pages are in no row, each counts once, and patterns choose their servers", () => {
    const zone = new TimeZone("UTC");
    const now = { fromMs: Date.UTC(2026, 0, 1), toMs: Infinity };
    const cube = new Cube({ ranges: [now, { fromMs: -Infinity, toMs: now.fromMs }], zone });
    const polls = [
      poll({ seq: 5 }),
      poll({ seq: 6, server: "other", output_bytes: 1_000 }),
      poll({ seq: 7, ts: "2025-12-31T23:59:59.999Z" }),
      protocolRecord({ seq: 8 }),
    ];
    for (const record of [...calls([{}]), ...polls, ...polls]) cube.add(record);
    const reportView = (filters: Partial<ReportPlan["filters"]>) => {
      const plan = { tables: [by("tool")], filters: { ...noFilters, ...filters }, view: cube.view };
      const { view, blocks } = makeReport(cube.makeFacts(), usagePlan(plan));
      return { view, calls: blocks[0]?.totals.calls };
    };
    expect(reportView({})).toEqual({ view: { calls: 2, bytes: 30 + 1_010 }, calls: 1 });
    expect(reportView({ servers: ["garden"] })).toEqual({
      view: { calls: 1, bytes: 30 },
      calls: 1,
    });
    expect(reportView({ tools: ["*"] }).view).toBeUndefined();
    expect(reportView({ servers: ["none"] }).view).toBeUndefined();
  });
});
