import { expect, test } from "bun:test";
import type { MeterRecord } from "#records/record.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { makeDayTotals, mergeTotals } from "#history/reports/removed-usage.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

function totals(records: readonly MeterRecord[], zone = "UTC") {
  const cube = new Cube({
    ranges: [{ fromMs: -Infinity, toMs: Infinity }],
    zone: new TimeZone(zone),
  });
  for (const record of records) cube.add(record);
  return makeDayTotals(cube.makeFacts());
}

const session: readonly MeterRecord[] = [
  sessionRecord({ seq: 0, ts: "2026-09-01T23:30:00.000Z" }),
  definitionsRecord({ seq: 1, ts: "2026-09-01T23:30:01.000Z" }),
  callRecord({ seq: 2, ts: "2026-09-01T23:59:00.000Z" }),
  callRecord({ seq: 3, ts: "2026-09-02T00:01:00.000Z", outcome: "tool_error" }),
  callRecord({ seq: 4, ts: "2026-09-02T00:02:00.000Z", outcome: "refused" }),
];

test("a session is divided by day and tool, and counts on the day it began", () => {
  const rows = totals(session).map(({ day, method, tool, sessions, sums }) => [
    day,
    method,
    tool,
    sessions,
    sums.calls,
    sums.errors,
    sums.refused,
    sums.listed_tokens,
  ]);
  expect(rows).toEqual([
    ["2026-09-01", "tools/call", "search", 0, 1, 0, 0, 0],
    ["2026-09-01", "tools/list", null, 1, 0, 0, 0, 160],
    ["2026-09-02", "tools/call", "search", 0, 2, 1, 1, 0],
  ]);
  expect(totals(session)[0]).toMatchObject({
    client: "host",
    estimation: { estimator: "chars3", is_estimated: true },
  });
});

test("days are local", () => {
  const days = new Set(totals(session, "Asia/Tokyo").map(({ day }) => day));
  expect(days).toEqual(new Set(["2026-09-02"]));
});

test("merged totals of parts equal the totals of the whole", () => {
  const otherSession = session.map((record) => ({ ...record, session_id: "other" }));
  const together = mergeTotals([...totals(session), ...totals(otherSession)]);
  expect(together).toEqual(totals([...session, ...otherSession]));
  expect(mergeTotals([])).toEqual([]);
});

test("sessions with one estimator have the least certain of their estimations", () => {
  const [a, b] = [
    sessionRecord({ session_id: "a", confidence: "high" }),
    sessionRecord({ session_id: "b", confidence: "medium" }),
  ];
  const merged = mergeTotals([...totals([a]), ...totals([b])]);
  expect(merged.map(({ estimation, sessions }) => [estimation?.confidence, sessions])).toEqual([
    ["medium", 2],
  ]);
});

const toolRows = (tools: number) =>
  totals(Array.from({ length: tools }, (_, seq) => callRecord({ seq, tool: `t${seq}` }))).filter(
    ({ tool }) => tool !== null,
  );

test(`of ${toolRowsMax} tools of a server each has a row, further ones share one`, () => {
  expect(toolRows(toolRowsMax).map(({ tool }) => tool)).not.toContain("(other)");
  const more = toolRows(toolRowsMax + 5);
  expect(more).toHaveLength(toolRowsMax + 1);
  expect(more.find(({ tool }) => tool === "(other)")?.sums.calls).toBe(5);
});
