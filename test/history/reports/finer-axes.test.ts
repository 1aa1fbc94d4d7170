import { describe, expect, test } from "bun:test";
import { TimeZone } from "#history/reports/calendar.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import { addImportedFacts } from "#history/reports/imported/imported-facts.ts";
import { ImportedHistory, KnownDefinitions } from "#history/reports/imported/imported-history.ts";
import { WireMatches } from "#history/reports/imported/wire-matches.ts";
import { makeReport } from "#history/reports/make-report.ts";
import type { Axis, UsageRow } from "#history/reports/usage-report.ts";
import type { ImportedRecord, MeterRecord } from "#records/record.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { call, conversation, threeTurns } from "./imported/made-history.ts";

const ranges = [{ fromMs: -Infinity, toMs: Infinity }];

function readRows(
  by: readonly Axis[],
  wire: readonly MeterRecord[],
  imported: readonly ImportedRecord[] = [],
  zone = new TimeZone("UTC"),
) {
  const history = new ImportedHistory();
  for (const record of imported) history.add(record);
  const matches = new WireMatches(history);
  const cube = new Cube({ ranges, zone, by });
  for (const record of wire) {
    cube.add(record);
    if (record.type === "call") matches.offer(record);
  }
  const known = new KnownDefinitions(cube.listDefinitions());
  const usage = { history, matchedCalls: matches.findPairs(), known };
  const { facts } = addImportedFacts(cube.makeFacts(), usage, { ranges, zone, by });
  const { sum } = makeReport(facts, {
    tables: [{ by, order: undefined, top: undefined }],
    filters: { servers: [], tools: [], clients: [] },
    range: { fromMs: -Infinity, toMs: Infinity },
    zone,
    trend: undefined,
  });
  const rows = sum.tables[0]?.rows ?? [];
  for (const name of ["calls", "context_tokens", "refused", "repeated_tokens"] as const) {
    const added = rows.reduce((total, row) => total + row[name], 0);
    expect(`${name} ${added}`).toBe(`${name} ${sum.totals[name]}`);
  }
  return rows;
}

const pick = (rows: readonly UsageRow[], axis: "hour" | "agent" | "project" | "confidence") =>
  rows.map((row) => [row[axis], row.calls, row.context_tokens]);

const at = (seq: number, ts: string) =>
  callRecord({ seq, ts, input_tokens: 0, output_tokens: 100 });

describe("--by hour", () => {
  const records = [
    sessionRecord({ ts: "2026-11-20T08:00:00.000Z" }),
    definitionsRecord({ seq: 1, ts: "2026-11-20T08:00:00.000Z", resident_tokens: 40 }),
    at(2, "2026-11-20T08:20:00.000Z"),
    at(3, "2026-11-20T08:40:00.000Z"),
    at(4, "2026-11-21T08:59:59.999Z"),
    at(5, "2026-11-21T23:00:00.000Z"),
  ];

  test("adds up an hour of all days, with the definitions that were read in it", () => {
    expect(pick(readRows(["hour"], records), "hour")).toEqual([
      ["08:00", 3, 340],
      ["23:00", 1, 100],
    ]);
  });

  test("hours are local, also in zones that are half an hour off", () => {
    const rows = readRows(["hour"], records, [], new TimeZone("Asia/Kolkata"));
    expect(pick(rows, "hour")).toEqual([
      ["04:00", 1, 100],
      ["13:00", 1, 140],
      ["14:00", 2, 200],
    ]);
  });

  test("may divide the rows of a day", () => {
    const rows = readRows(["day", "hour"], records);
    expect(rows.map(({ day, hour, calls }) => [day, hour, calls])).toEqual([
      ["2026-11-20", "08:00", 2],
      ["2026-11-21", "08:00", 1],
      ["2026-11-21", "23:00", 1],
    ]);
  });
});

test("--by confidence splits the calls of a session; definitions have the confidence of its estimator", () => {
  const rows = readRows(
    ["confidence"],
    [
      sessionRecord({ confidence: "low" }),
      definitionsRecord({ seq: 1, resident_tokens: 40 }),
      callRecord({ seq: 2, input_tokens: 0, output_tokens: 500, confidence: "high" }),
      callRecord({ seq: 3, input_tokens: 0, output_tokens: 60, confidence: "low" }),
    ],
  );
  expect(pick(rows, "confidence")).toEqual([
    ["high", 1, 500],
    ["low", 1, 100],
  ]);
});

describe("--by agent and --by project", () => {
  const agent = { conversation_id: "agent", session_id: "of agent" };
  const history: ImportedRecord[] = [
    { ...conversation, type: "conversation", project: "p1" } as ImportedRecord,
    {
      ...conversation,
      ...agent,
      type: "conversation",
      kind: "subagent",
      project: "p1",
    } as ImportedRecord,
    ...threeTurns,
    ...threeTurns.map((turn) => ({ ...turn, ...agent })),
    call(0, { call_id_sha256: "main" }),
    call(1, { ...agent, call_id_sha256: "sub" }),
    call(2, { ...agent, call_id_sha256: "only logged", output_tokens: 7 }),
  ];
  const common = { server: "docs", tool: "search", ts: call(0).ts, input_tokens: 0 };
  const wire = [
    sessionRecord({ server: "docs" }),
    callRecord({ ...common, seq: 1, output_tokens: 1, call_id_sha256: "main" }),
    callRecord({ ...common, seq: 2, output_tokens: 20, call_id_sha256: "sub" }),
    callRecord({ ...common, seq: 3, output_tokens: 300, call_id_sha256: "of no log" }),
  ];

  test("a session on the wire is split by the agents that called, as in the logs", () => {
    expect(pick(readRows(["agent"], wire, history), "agent")).toEqual([
      [null, 1, 300],
      ["subagent", 2, 37],
      ["main", 1, 1],
    ]);
    const byTool = readRows(["agent", "tool"], wire, history).filter(({ calls }) => calls > 0);
    expect(pick(byTool, "agent")).toEqual([
      [null, 1, 300],
      ["subagent", 2, 37],
      ["main", 1, 1],
    ]);
  });

  test("the other calls of a session belong to its project", () => {
    expect(pick(readRows(["project"], wire, history), "project")).toEqual([["p1", 4, 338]]);
    expect(pick(readRows(["project"], wire), "project")).toEqual([[null, 3, 321]]);
  });
});
