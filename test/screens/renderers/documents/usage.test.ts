import { describe, expect, test } from "bun:test";
import { buildOverview } from "#screens/renderers/documents/overview.ts";
import { makeReport } from "#history/reports/make-report.ts";
import { noLoggedTotals } from "#history/reports/imported/logged-totals.ts";
import { joinSpans } from "#screens/renderers/document.ts";
import { buildEmptyDocument, buildUsageDocument } from "#screens/renderers/documents/usage.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import type { MeterRecord } from "#records/record.ts";
import type { Axis } from "#history/reports/usage-report.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../../support/made-records.ts";
import { usageFacts, usagePlan } from "../../../support/usage-facts.ts";
import { by, reportOf } from "../../../support/usage-parts.ts";

function buildDocument(records: readonly MeterRecord[], axis: Axis, isWide = false) {
  const report = reportOf(records, { tables: [by(axis)] });
  const [grid, notes] = buildUsageDocument(report, { isWide, isTerminal: false }).sections;
  if (grid?.kind !== "grid" || notes?.kind !== "notes") throw new Error("not a grid and notes");
  return { heads: grid.columns.map(({ head }) => head), rows: grid.rows, notes: notes.notes };
}

const records = [sessionRecord(), definitionsRecord({ seq: 1 }), callRecord({ seq: 2 })];

describe("usageDocument", () => {
  test("columns of zeros go, a wide table has all", () => {
    expect(buildDocument(records, "server").heads).toEqual([
      "server",
      "sessions",
      "definitions",
      "calls",
      "in calls",
      "tokens",
      "share",
    ]);
    expect(buildDocument(records, "server", true).heads).toContain("refused");
    expect(buildDocument(records, "session").heads).not.toContain("sessions");
  });

  test("a narrow table of sessions has the shortest ids that differ, which commands accept", () => {
    const ids = ["11111111-aaaa", "11111111-abbb", "22222222-aaaa"];
    const calls = ids.map((session_id) => callRecord({ session_id }));
    const report = reportOf(calls, { tables: [by("session")] });
    const read = (columns: number, isWide = false) => {
      const [grid] = buildUsageDocument(report, { columns, isWide, isTerminal: true }).sections;
      if (grid?.kind !== "grid") throw new Error("not a grid");
      const at = grid.columns.findIndex(({ head }) => head === "session");
      return grid.rows.slice(0, 3).map((row) => JSON.stringify(row[at]));
    };
    const short = ["11111111-aa", "11111111-ab", "22222222-aa"];
    expect(read(80)).toEqual(short.map((id) => expect.stringContaining(`"${id}"`)));
    const whole = ids.map((id) => expect.stringContaining(`"${id}"`));
    expect([read(200), read(80, true)]).toEqual([whole, whole]);
  });

  test("several rows end with their total, one does not", () => {
    expect(buildDocument(records, "server").rows.length).toBe(1);
    const [, total] = buildDocument(
      [...records, callRecord({ seq: 3, server: "shed" })],
      "server",
    ).rows.slice(1);
    expect(total?.[0]).toEqual({ text: "total", tone: "strong" });
  });

  test("notes say where the tokens are, and how they were counted", () => {
    expect(buildDocument(records, "server").notes.map(({ label, text }) => [label, text])).toEqual([
      ["tokens", "~160 in definitions and instructions, ~110 in calls"],
      ["counted by", "chars3 ●○○ a rough rule; ~ marks estimates"],
    ]);
    expect(buildDocument(records, "tool").notes.map(({ label }) => label)).toEqual([
      "tokens",
      "counted by",
    ]);
    expect(buildDocument([callRecord()], "server").notes).toEqual([]);
  });

  test("a trend says what the tokens are without, when they differ from the table", () => {
    const refused = callRecord({ seq: 3, outcome: "refused", input_tokens: 4, output_tokens: 6 });
    const [fromMs, before] = [Date.parse("2026-09-01"), { fromMs: 0, toMs: 1 }];
    const range = { fromMs, toMs: Infinity };
    const read = (all: readonly MeterRecord[]) => {
      const report = reportOf(all, { tables: [], range, trend: { before, top: undefined } });
      const { sections } = buildUsageDocument(report, { isWide: false, isTerminal: false });
      const notes = sections.flatMap((section) => (section.kind === "notes" ? section.notes : []));
      return notes.find(({ label }) => label === "trend")?.text;
    };
    expect(read(records)).toBe("tokens of calls, not of definitions");
    expect(read([...records, refused])).toBe(
      "tokens of calls, not of definitions; ~10 tokens of 1 refused call are left out",
    );
    const cancelled = callRecord({ seq: 4, outcome: "cancelled" });
    expect(read([...records, cancelled])).toBe(
      "tokens of calls, not of definitions; the tokens per call leave out 1 cancelled call",
    );
  });

  test("several estimators are added up, with the share of each", () => {
    const other = sessionRecord({ session_id: "other", estimator: "claude", is_estimated: false });
    const mixed = [
      ...records,
      other,
      callRecord({ session_id: "other", seq: 1, input_tokens: 15, output_tokens: 15 }),
    ];
    const { rows, notes } = buildDocument(mixed, "server");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain("~300");
    expect(notes.at(-1)).toEqual({
      label: "counted by",
      text: [{ name: "chars3" }, " 90%", ", ", { name: "claude" }, " 10%", "; ~ marks estimates"],
    });
    expect(buildDocument(mixed, "estimator").rows.map((row) => row[0])).toMatchObject([
      { name: "chars3" },
      { name: "claude" },
      { text: "total" },
    ]);
  });

  test("nothing is one line", () => {
    expect(renderTerminal(buildEmptyDocument(reportOf([])), { color: false })).toBe(
      "mcp-meter: no records for all days, UTC\n",
    );
  });
});

const dayMs = 86_400_000;
const beganMs = Date.parse("2026-11-10T00:00:00.000Z");
const week = { fromMs: beganMs, toMs: beganMs + 7 * dayMs };
const weekBefore = { fromMs: beganMs - 7 * dayMs, toMs: beganMs };

const makeRecords = (ts: string, output_tokens: number) => [
  sessionRecord({ ts, estimator: "claude" }),
  callRecord({ seq: 1, ts, input_tokens: 0, output_tokens }),
];

function readOverview(tokensBefore: number, hasLogs: boolean) {
  const list = definitionsRecord({ seq: 2, ts: "2026-11-12T12:00:00.000Z" });
  const now = usageFacts([...makeRecords("2026-11-12T12:00:00.000Z", 600), list]);
  const before = usageFacts(makeRecords("2026-11-03T12:00:00.000Z", tokensBefore)).map((fact) => ({
    ...fact,
    range: 1,
    ...(hasLogs ? { logged: { ...noLoggedTotals, importedCalls: 1 } } : {}),
  }));
  const plan = usagePlan({ tables: [by("day")], range: week, before: weekBefore });
  const { sections } = buildOverview(makeReport([...now, ...before], plan), { advice: [] });
  const [line, bars, notes] = sections;
  if (line?.kind !== "line" || bars?.kind !== "grid" || notes?.kind !== "notes")
    throw new Error("not an overview");
  return { text: joinSpans(line.text), days: bars.rows.map(([day]) => day), notes: notes.notes };
}

describe("the overview", () => {
  test("compares calls with calls where the logs of a period have no definitions", () => {
    expect(readOverview(400, true).text).toEndWith("; calls took 50% more tokens than before");
    expect(readOverview(400, false).text).not.toContain("in calls");
  });

  test("prints a large growth as a factor, not as a percentage", () => {
    expect(readOverview(60, true).text).toEndWith("; calls took 900% more tokens than before");
    expect(readOverview(4, true).text).toEndWith("; calls took 150 × as many tokens as before");
  });

  test("prints no change that rounds to nothing", () => {
    for (const tokens of [600, 600.1, 599.9]) {
      expect(readOverview(tokens, true).text).toEndWith("took about as many tokens as before");
    }
  });

  test("has a bar for each day of the period, also without records", () => {
    const days = ["10", "11", "12", "13", "14", "15", "16"].map((day) => `2026-11-${day}`);
    expect(readOverview(4, true).days).toEqual(days);
  });

  test("names one estimator on one line", () => {
    expect(readOverview(4, true).notes.map(({ text }) => JSON.stringify(text))).toContainEqual(
      expect.stringMatching(/claude.*●.*confidence.*--by estimator prints how accurate they are/),
    );
  });
});
