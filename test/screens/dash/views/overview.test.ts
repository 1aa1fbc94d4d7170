import { describe, expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import type { ViewChoice } from "#screens/dash/view.ts";
import { buildOverviewView } from "#screens/dash/views/overview.ts";
import { axes } from "#history/reports/usage-report.ts";
import { fakeIo } from "../../../support/fake-io.ts";
import { callRecord, endRecord, sessionRecord } from "../../../support/made-records.ts";
import { madePrices } from "../../../support/made-prices.ts";
import { madeUsage } from "../../../support/made-usage.ts";
import { plainUsage, summaryOptions } from "../../../support/report-options.ts";
import { servedMachine } from "../../../support/served.ts";
import { dashModel, dashNowMs, viewChoice, viewSetting } from "../../../support/dash-model.ts";
import { dashLiveMs } from "#screens/dash/views/scope.ts";

const compareTexts = (a: string, b: string): number => (a < b ? -1 : 1);
const at = (agoMs: number): string => new Date(dashNowMs - agoMs).toISOString();
const listNames = (name: string | undefined): string[] => (name === undefined ? [] : [name]);

async function reported(choice: ViewChoice, since: string, axis: (typeof axes)[number]) {
  using machine = servedMachine(madeUsage());
  const { io, stdout } = fakeIo({ env: { XDG_STATE_HOME: machine.folder.path } });
  const usage = {
    ...plainUsage,
    by: [axis],
    range: { since, until: undefined },
    filters: { servers: listNames(choice.server), tools: [], clients: listNames(choice.client) },
  };
  const options = { ...summaryOptions, format: "json" as const, files: [], usage };
  await report({ ...options, timezone: "Europe/Berlin" }, io, dashNowMs);
  return JSON.parse(stdout());
}

const live = (agoMs: number, ...ends: object[]) => {
  const model = dashModel([
    sessionRecord({ seq: 0, ts: at(agoMs) }),
    ...ends.map((overrides) => endRecord({ seq: 1, ts: at(agoMs), ...overrides })),
  ]);
  return buildOverviewView(model, viewChoice(), viewSetting()).head.live_sessions;
};

describe("overviewView", () => {
  const choices: readonly (readonly [Partial<ViewChoice>, string])[] = [
    [{ period: "all" }, "2026-01-01"],
    [{ period: "7d" }, "2026-11-07"],
    [{ period: "30d", server: "github" }, "2026-10-15"],
    [{ period: "30d", client: "opencode" }, "2026-10-15"],
    [{ period: "today" }, "2026-11-13"],
  ];
  test.each(choices)("%j: the numbers of report --since %s", async (told, since) => {
    const choice = viewChoice(told);
    const view = buildOverviewView(dashModel(), choice, viewSetting());
    const tables = { tool: "tools", server: "servers", client: "clients" } as const;
    for (const axis of ["tool", "server", "client"] as const) {
      const printed = await reported(choice, since, axis);
      const { sum } = printed;
      expect(view.head.totals).toEqual(sum.totals);
      expect(view.head.counted_by).toEqual(sum.counted_by);
      const rows = Object.values(view.tables[tables[axis]]);
      expect(rows).toMatchObject(sum.tables[0].rows);
      expect(rows).toHaveLength(sum.tables[0].rows.length);
    }
  });

  test("sessions are the newest, by session and server", () => {
    const { tables, head } = buildOverviewView(dashModel(), viewChoice(), viewSetting());
    const rows = Object.values(tables.sessions);
    expect(rows.length).toBe(head.totals?.sessions ?? -1);
    const began = rows.map((row) => row.began ?? "");
    expect(began).toEqual(began.toSorted(compareTexts).toReversed());
  });

  test("a session without an end is live for a while after its last record", () => {
    const checkpoint = { exit_code: null, signal: null };
    expect([live(0), live(dashLiveMs), live(dashLiveMs + 1), live(0, {})]).toEqual([1, 1, 0, 0]);
    expect([live(0, checkpoint), live(dashLiveMs + 1, checkpoint)]).toEqual([1, 0]);
    expect(live(0, { ...checkpoint, seq: 2 }, {})).toBe(1);
    expect(live(0, {}, { ...checkpoint, seq: 0 })).toBe(0);
  });

  test("has costs if the address asks for them, and names the origin of the prices", () => {
    const prices = madePrices();
    const records = madeUsage()
      .flat()
      .map((record) => ({ ...record, model: "opus" }));
    const model = dashModel(records);
    const build = (choice: Partial<ViewChoice>) =>
      buildOverviewView(model, viewChoice(choice), viewSetting({ prices }));
    const view = build({ cost: "on" });
    expect(view.head.notes.join()).toContain(prices.origin);
    expect(Object.values(view.tables.tools).some(({ cost_usd: cost }) => cost)).toBe(true);
    expect(build({}).head.totals).not.toHaveProperty("cost_usd");
  });

  test("hostile names are keys like any other", () => {
    const hostile = ["__proto__", "constructor", "a\n\u001b[31m", "<img src=x>"];
    const records = hostile.map((tool, seq) =>
      callRecord({ seq: seq + 1, tool, ts: "2026-11-13T10:00:00.000Z" }),
    );
    const view = buildOverviewView(dashModel(records), viewChoice(), viewSetting());
    const shown = Object.values(view.tables.tools).map(({ tool }) => tool ?? "");
    expect(shown.toSorted(compareTexts)).toEqual(hostile.toSorted(compareTexts));
  });
});
