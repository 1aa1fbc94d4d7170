import { expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import { buildTrendView } from "#screens/dash/views/trend.ts";
import { fakeIo } from "../../../support/fake-io.ts";
import { madeUsage } from "../../../support/made-usage.ts";
import { plainUsage, summaryOptions } from "../../../support/report-options.ts";
import { servedMachine } from "../../../support/served.ts";
import { dashModel, dashNowMs, viewChoice, viewSetting } from "../../../support/dash-model.ts";

test.each([
  ["7d", "2026-11-07", dashNowMs],
  // In the middle of the calls of a day.
  ["7d", "2026-11-05", Date.parse("2026-11-11T10:33:20.000Z")],
  ["today", "2026-11-11", Date.parse("2026-11-11T10:33:20.000Z")],
] as const)("has the rows of report --trend of %s since %s", async (period, since, nowMs) => {
  const choice = viewChoice({ screen: "trend", period });
  const records = madeUsage()
    .flat()
    .filter(({ ts }) => Date.parse(ts) <= nowMs);
  const model = dashModel(records, undefined, undefined, nowMs);
  const { head, tables } = buildTrendView(model, choice, viewSetting({ nowMs }));
  expect(head.command).toBe(`mcp-meter report --trend --since ${since} --timezone Europe/Berlin`);
  using machine = servedMachine([records]);
  const { io, stdout } = fakeIo({ env: { XDG_STATE_HOME: machine.folder.path } });
  const range = { since, until: undefined };
  const usage = { ...plainUsage, range, hasTrend: true };
  const options = { ...summaryOptions, format: "json" as const, files: [], usage };
  await report({ ...options, timezone: "Europe/Berlin" }, io, nowMs);
  const { trend } = JSON.parse(stdout()).sum;
  expect(trend.rows.length).toBeGreaterThan(0);
  expect(head.days).toEqual(trend.days);
  expect(Object.values(tables.rows)).toEqual(trend.rows);
  expect(head.before).toEqual(trend.before);
  const { now, before } = trend.total;
  expect(head.tokens).toEqual({ now: now.tokens, before: before.tokens });
});

test("is shorter where there are too few days, and says so", () => {
  const fromMs = Date.parse("2026-11-05T00:00:00.000Z");
  const model = dashModel(madeUsage().flat(), "UTC", fromMs);
  const choice = viewChoice({ screen: "trend", period: "30d", server: "git hub" });
  const { head } = buildTrendView(model, choice, viewSetting());
  expect([head.first, head.last]).toEqual(["2026-11-10", "2026-11-13"]);
  expect(head.notes).toEqual([
    "This page compares the last 4 days with the 4 before; to compare 30 days, start dash with --since 60d",
  ]);
  expect(head.command).toContain("--server 'git hub' --timezone UTC");
});

test("--since 60d is enough for 30 days, 59d is not", () => {
  const choice = viewChoice({ screen: "trend", period: "30d" });
  const notes = [60, 59].map((days) => {
    const fromMs = Date.parse("2026-11-13T00:00:00.000Z") - (days - 1) * 86_400_000;
    return buildTrendView(dashModel([], "UTC", fromMs), choice, viewSetting()).head.notes;
  });
  expect(notes).toEqual([[], [expect.stringContaining("compares the last 29 days")]]);
});
