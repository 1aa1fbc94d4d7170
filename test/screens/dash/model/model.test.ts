import { describe, expect, test } from "bun:test";
import { DashModel } from "#screens/dash/model/model.ts";
import { sumContextTokens } from "#history/reports/usage-sums.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";
import { dashModel, dashNowMs } from "../../../support/dash-model.ts";
import { madeUsage } from "../../../support/made-usage.ts";

const sumTokens = (model: DashModel): number =>
  model.listFacts("all").reduce((sum, { sums }) => sum + sumContextTokens(sums), 0);

const countRows = (model: DashModel): number => [...model.calls.selectRows({ fromMs: 0 })].length;

describe("DashModel", () => {
  test("is the same for records in any order of files, each twice", () => {
    const sessions = madeUsage();
    const once = dashModel(sessions.flat());
    const twice = dashModel([...sessions.toReversed().flat(), ...sessions.flat()]);
    expect(sumTokens(twice)).toBe(sumTokens(once));
    expect(sumTokens(once)).toBeGreaterThan(100_000);
    expect(countRows(twice)).toBe(countRows(once));
    expect(countRows(once)).toBe(sessions.flat().filter(({ type }) => type === "call").length);
  });

  test("has a new version after a new record alone", () => {
    const model = dashModel([sessionRecord({ seq: 0 })]);
    const { version } = model;
    model.add(sessionRecord({ seq: 0 }));
    expect(model.version).toBe(version);
    model.add(callRecord({ seq: 1 }));
    expect(model.version).toBeGreaterThan(version);
    expect(model.add(callRecord({ seq: 2, ts: "yesterday" }))).toBe(false);
  });

  test("calls before its beginning are in no number", () => {
    const fromMs = Date.parse("2026-11-10T00:00:00.000Z");
    const model = new DashModel({ zone: new TimeZone("UTC"), fromMs, nowMs: dashNowMs });
    model.add(callRecord({ seq: 1, ts: "2026-11-09T23:59:59.999Z" }));
    model.add(callRecord({ seq: 2, ts: "2026-11-10T00:00:00.000Z" }));
    expect([...model.calls.selectRows({ fromMs: 0 })]).toHaveLength(1);
    expect(model.listFacts("all").reduce((sum, { sums }) => sum + sums.calls, 0)).toBe(1);
  });

  test("has the newest list of a server for each estimator", () => {
    const tools = [toolDefinition("search", 40)];
    const list = { tools, tools_total: 1, server: "github" };
    const model = dashModel([
      sessionRecord({ session_id: "a", seq: 0, estimator: "o200k" }),
      definitionsRecord({ session_id: "a", seq: 1, ...list, total_tokens: 40 }),
      sessionRecord({ session_id: "b", seq: 0, estimator: "claude" }),
      definitionsRecord({ session_id: "b", seq: 1, ...list, total_tokens: 62 }),
      definitionsRecord({ session_id: "b", seq: 2, server: "github", tools: [], tools_total: 0 }),
    ]);
    expect(model.findList("github", "o200k")?.record.total_tokens).toBe(40);
    expect(model.findList("github", "claude")?.record.total_tokens).toBe(62);
    expect(model.findList("github")?.record.total_tokens).toBe(62);
    expect(model.findList("github", "chars4")).toBeUndefined();
  });

  test("facts from elsewhere are added to those of records", () => {
    const model = dashModel([sessionRecord({ seq: 0 }), callRecord({ seq: 1 })]);
    const before = model.listFacts("all").length;
    model.completeWith((wire) => [...wire.makeFacts(), ...wire.makeFacts()]);
    expect(model.listFacts("all")).toHaveLength(before * 2);
  });
});
