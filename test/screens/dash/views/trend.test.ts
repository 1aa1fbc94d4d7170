import { expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import { buildTrendView } from "#screens/dash/views/trend.ts";
import { fakeIo } from "../../../support/fake-io.ts";
import { madeUsage } from "../../../support/made-usage.ts";
import { plainUsage, summaryOptions } from "../../../support/report-options.ts";
import { servedMachine } from "../../../support/served.ts";
import { dashModel, dashNowMs, viewChoice, viewSetting } from "../../../support/dash-model.ts";

test("has the rows of report --trend for the last whole days", async () => {
  const choice = viewChoice({ screen: "trend", period: "7d" });
  const { head, tables } = buildTrendView(dashModel(), choice, viewSetting());
  expect(head.command).toBe(
    "mcp-meter report --trend --since 2026-11-06 --until 2026-11-12 --timezone Europe/Berlin",
  );
  expect(head.days).toHaveLength(7);
  using machine = servedMachine(madeUsage());
  const { io, stdout } = fakeIo({ env: { XDG_STATE_HOME: machine.folder.path } });
  const range = { since: "2026-11-06", until: "2026-11-12" };
  const usage = { ...plainUsage, range, hasTrend: true };
  const options = { ...summaryOptions, format: "json" as const, files: [], usage };
  await report({ ...options, timezone: "Europe/Berlin" }, io, dashNowMs);
  const { trend } = JSON.parse(stdout()).sum;
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
  expect([head.first, head.last]).toEqual(["2026-11-09", "2026-11-12"]);
  expect(head.notes).toEqual([
    "This page compares 4 days with as many before; to compare 30, start dash with --since 61d",
  ]);
  expect(head.command).toContain("--server 'git hub' --timezone UTC");
});

test("--since 61d is enough for 30 days, 60d is not", () => {
  const choice = viewChoice({ screen: "trend", period: "30d" });
  const notes = [61, 60].map((days) => {
    const fromMs = Date.parse("2026-11-13T00:00:00.000Z") - (days - 1) * 86_400_000;
    return buildTrendView(dashModel([], "UTC", fromMs), choice, viewSetting()).head.notes;
  });
  expect(notes).toEqual([[], [expect.stringContaining("compares 29 days")]]);
});
