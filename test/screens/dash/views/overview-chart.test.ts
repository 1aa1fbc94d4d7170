import { expect, test } from "bun:test";
import { buildOverviewChart, dashSeriesMax } from "#screens/dash/views/overview-chart.ts";
import { pickRowClass } from "#screens/dash/page/format.ts";
import { buildScope } from "#screens/dash/views/scope.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";

const sumSeries = (numbers: readonly number[]): number =>
  numbers.reduce((all, one) => all + one, 0);

test("the bars of each period add up to its tokens", () => {
  const model = dashModel();
  for (const period of ["today", "7d", "30d", "all"] as const) {
    for (const estimator of [undefined, "o200k", "claude"]) {
      const scope = buildScope(model, viewChoice({ period, estimator }), viewSetting());
      const tools = [{ server: "github", tool: "search_code" }];
      const { rows, series } = buildOverviewChart(scope, tools);
      const tokens = Object.values(rows).map((row) => sumSeries(row.tokens));
      expect(sumSeries(tokens)).toBe(scope.usage?.totals.context_tokens ?? 0);
      expect(series).toEqual(["search_code", "definitions", "other"]);
    }
  }
});

test("a day is shown by local hours, also where the offset is not whole", () => {
  const ts = "2026-11-13T10:10:00.000Z";
  const tools = [toolDefinition("search", 40)];
  const model = dashModel(
    [
      sessionRecord({ seq: 0, ts }),
      definitionsRecord({ seq: 1, ts, tools, tools_total: 1, resident_tokens: 40 }),
      callRecord({ seq: 2, ts, tool: "search", input_tokens: 1, output_tokens: 9 }),
      callRecord({ seq: 3, ts: "2026-11-13T11:40:00.000Z", input_tokens: 2, output_tokens: 9 }),
    ],
    "Asia/Kolkata",
    0,
    Date.parse("2026-11-13T15:00:00.000Z"),
  );
  const scope = buildScope(model, viewChoice({ period: "today" }), viewSetting());
  const { bucket, rows } = buildOverviewChart(scope, [{ server: "garden", tool: "search" }]);
  expect(bucket).toBe("hour");
  expect(Object.values(rows).map(({ label, start }) => [label, start])).toEqual([
    ["17:00", "2026-11-13T11:30:00.000Z"],
    ["15:00", "2026-11-13T09:30:00.000Z"],
  ]);
  expect(Object.values(rows).map(({ tokens }) => sumSeries(tokens))).toEqual([11, 50]);
});

test("six tools have parts of their own, with their servers where there are several", () => {
  const tools = Array.from({ length: 9 }, (_, at) => ({ server: `s${at % 2}`, tool: `t${at}` }));
  const { series } = buildOverviewChart(
    buildScope(dashModel([]), viewChoice(), viewSetting()),
    tools,
  );
  expect(series).toHaveLength(dashSeriesMax + 2);
  expect(series.slice(0, 2)).toEqual(["s0 t0", "s1 t1"]);
});

test("a series has its server's name if any other tool is of another server", () => {
  const tools = Array.from({ length: dashSeriesMax }, (_, index) => ({
    server: "a",
    tool: `t${index}`,
  }));
  const scope = buildScope(dashModel([]), viewChoice(), viewSetting());
  const { series } = buildOverviewChart(scope, [...tools, { server: "b", tool: "t0" }]);
  expect(series[0]).toBe("a t0");
  expect(pickRowClass({ server: "a", tool: "t0" }, series)).toBe("series-0");
  expect(pickRowClass({ server: "b", tool: "t0" }, series)).toBe("series-other");
});
