import { describe, expect, test } from "bun:test";
import { Cube } from "#history/reports/usage-cube.ts";
import { makeDefinitionTrend } from "#history/reports/make-trend.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import type { DefinitionsRecord } from "#records/record.ts";
import { definitionsRecord, sessionRecord, toolDefinition } from "../../support/made-records.ts";

const ranges = [
  { fromMs: Date.UTC(2026, 10, 8), toMs: Date.UTC(2026, 10, 15) },
  { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 8) },
];

type Tools = Readonly<Record<string, number>>;

let sessions = 0;

function list(day: number, tools: Tools, server = "garden"): DefinitionsRecord {
  sessions += 1;
  return definitionsRecord({
    session_id: `s${sessions}`,
    server,
    ts: new Date(Date.UTC(2026, 10, day, 12)).toISOString(),
    tools: Object.entries(tools).map(([name, tokens]) => toolDefinition(name, tokens)),
  });
}

function trendOf(lists: readonly DefinitionsRecord[], top?: number, keepsLists = true) {
  const cube = new Cube({ ranges, zone: new TimeZone("UTC"), keepsLists });
  for (const { session_id, server, ts } of lists)
    cube.add(sessionRecord({ session_id, server, ts }));
  for (const record of lists) cube.add(record);
  return makeDefinitionTrend(cube.makeFacts(), top);
}

const rows = (trend: ReturnType<typeof trendOf>) =>
  trend.rows.map(({ server, tool, before, now, change }) => [
    `${server} ${tool}`,
    before.lists,
    now.lists,
    before.tokens_per_list,
    now.tokens_per_list,
    change,
  ]);

describe("makeDefinitionTrend", () => {
  test("lists counted by another estimator are left out and counted", () => {
    const cube = new Cube({ ranges, zone: new TimeZone("UTC"), keepsLists: true });
    const lists = [list(2, { plant: 100 }), list(9, { plant: 100 }), list(9, { plant: 70 })];
    for (const [at, { session_id, server, ts }] of lists.entries()) {
      cube.add(sessionRecord({ session_id, server, ts, estimator: at < 2 ? "claude" : "o200k" }));
    }
    for (const record of lists) cube.add(record);
    const trend = makeDefinitionTrend(cube.makeFacts(), undefined);
    expect(rows(trend)).toEqual([["garden null", 1, 1, 100, 100, 0]]);
    expect(trend.lists_left_out).toBe(1);
  });

  test("a server has its number of lists on both sides and the tools that changed", () => {
    const trend = trendOf([
      list(2, { plant: 100, water: 60, rake: 40 }),
      list(3, { plant: 100, water: 60, rake: 40 }),
      list(9, { plant: 150, water: 60, dig: 30 }),
      list(1, { only: 9 }, "before"),
      list(9, { only: 7 }, "now"),
      list(30, { late: 7 }, "never"),
    ]);
    expect(rows(trend)).toEqual([
      ["garden null", 2, 1, 200, 240, 0.2],
      ["garden plant", 2, 1, 100, 150, 0.5],
      ["garden rake", 2, 0, 40, null, null],
      ["garden dig", 0, 1, null, 30, null],
      ["before null", 1, 0, 9, null, null],
      ["now null", 0, 1, null, 7, null],
    ]);
  });

  test("several lists of a period count on average", () => {
    const trend = trendOf([
      list(2, { plant: 100 }),
      list(8, { plant: 100 }),
      list(9, { plant: 200 }),
    ]);
    expect(rows(trend)).toEqual([
      ["garden null", 1, 2, 100, 150, 0.5],
      ["garden plant", 1, 2, 100, 150, 0.5],
    ]);
  });

  test("no tool is new if the tools of one side are unknown", () => {
    const records = [list(2, { plant: 100 }), list(9, { plant: 200 })];
    expect(rows(trendOf(records, undefined, false))).toEqual([["garden null", 1, 1, 100, 200, 1]]);
  });

  test("top limits the rows and counts the others", () => {
    const records = [list(2, { plant: 100 }), list(9, { plant: 200 })];
    const trend = trendOf(records, 1);
    expect([trend.rows.length, trend.more]).toEqual([1, 1]);
    expect(trendOf([]).rows).toEqual([]);
  });
});
