import { describe, expect, test } from "bun:test";
import { trendCallsMin, trendDaysMax, makeTrend } from "#history/reports/make-trend.ts";
import type { CallRecord } from "#records/record.ts";
import { dayMs, TimeZone } from "#history/reports/calendar.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import type { UsageTrend } from "#history/reports/usage-report.ts";
import { callRecord } from "../../support/made-records.ts";

const zone = new TimeZone("UTC");
const fromMs = Date.UTC(2026, 10, 3);
const ranges = [
  { fromMs, toMs: fromMs + 2 * dayMs },
  { fromMs: fromMs - 2 * dayMs, toMs: fromMs },
];

type Batch = Partial<CallRecord> & { readonly day: number; readonly count: number };

function batches(...all: readonly Batch[]): CallRecord[] {
  let seq = 0;
  return all.flatMap(({ day, count, ...members }) =>
    Array.from({ length: count }, () =>
      callRecord({ seq: seq++, ts: `2026-11-0${day}T12:00:00.000Z`, input_tokens: 0, ...members }),
    ),
  );
}

function reportTrend(calls: readonly CallRecord[], top?: number): UsageTrend {
  const cube = new Cube({ ranges, zone });
  for (const call of calls) cube.add(call);
  const before = { since: null, until: null, first: null, last: null };
  const first = zone.findDay(fromMs);
  return makeTrend(cube.makeFacts(), { days: [first, first + 1], before, top });
}

const change = (before: number, now: number) =>
  reportTrend(batches({ day: 2, count: before }, { day: 3, count: now })).rows[1]?.change;

const names = (trend: UsageTrend) => trend.rows.map(({ server, tool }) => `${server} ${tool}`);

describe("makeTrend", () => {
  test("compares the tokens per call of servers and tools, with the number of calls", () => {
    const trend = reportTrend(
      batches(
        { day: 1, count: 10, output_tokens: 100 },
        { day: 3, count: 8, output_tokens: 100 },
        { day: 4, count: 12, output_tokens: 150 },
        { day: 4, count: 1, tool: null, method: "resources/read", output_tokens: 7 },
      ),
    );
    expect(trend.days).toEqual(["2026-11-03", "2026-11-04"]);
    expect(trend.rows.map(({ tool, before, now }) => [tool, before.calls, now.calls])).toEqual([
      [null, 10, 21],
      ["search", 10, 20],
      ["(resources/read)", 0, 1],
    ]);
    expect(trend.rows[1]).toEqual({
      server: "garden",
      method: "tools/call",
      tool: "search",
      before: { calls: 10, tokens: 1_000, tokens_per_call: 100 },
      now: { calls: 20, tokens: 2_600, tokens_per_call: 130 },
      change: 0.3,
      daily_tokens: [800, 1_800],
    });
    expect(trend.rows[2]?.before.tokens_per_call).toBeNull();
  });

  test(`no change is stated under ${trendCallsMin} calls on either side`, () => {
    expect(change(trendCallsMin, trendCallsMin)).toBe(0);
    expect(change(trendCallsMin - 1, trendCallsMin)).toBeNull();
    expect(change(trendCallsMin, trendCallsMin - 1)).toBeNull();
  });

  test("no change is stated from calls without tokens", () => {
    const calls = batches({ day: 2, count: 10, output_tokens: 0 }, { day: 3, count: 10 });
    expect(reportTrend(calls).rows[1]?.change).toBeNull();
  });

  test("refused and cancelled calls do not count: no server answered them", () => {
    const calls = batches(
      { day: 3, count: 2, output_tokens: 10 },
      { day: 3, count: 5, outcome: "refused", output_tokens: 900 },
      { day: 3, count: 5, outcome: "cancelled", output_tokens: 0 },
    );
    expect(reportTrend(calls).rows[1]?.now).toEqual({ calls: 2, tokens: 20, tokens_per_call: 10 });
  });

  test("servers with the most tokens are first, each with its tools; the rest is counted", () => {
    const calls = batches(
      { day: 3, count: 1, server: "a", tool: "x" },
      { day: 2, count: 3, server: "b", tool: "x" },
      { day: 3, count: 2, server: "b", tool: "y" },
    );
    const all = ["b null", "b x", "b y", "a null", "a x"];
    expect(names(reportTrend(calls))).toEqual(all);
    expect(names(reportTrend(calls.toReversed()))).toEqual(all);
    const some = reportTrend(calls, 2);
    expect([names(some), some.more]).toEqual([all.slice(0, 2), 3]);
  });

  test(`shows ${trendDaysMax} days`, () => {
    const before = { since: null, until: null, first: null, last: null };
    const listDays = (count: number) =>
      makeTrend([], { days: [0, count - 1], before, top: 1 }).days;
    expect(listDays(trendDaysMax).length).toBe(trendDaysMax);
    expect(listDays(trendDaysMax + 1)).toEqual(listDays(trendDaysMax + 1).slice(-trendDaysMax));
    expect(listDays(trendDaysMax + 1)[0]).toBe("1970-01-02");
  });
});
