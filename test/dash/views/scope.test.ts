import { describe, expect, test } from "bun:test";
import { callRows, isOfScope, scopeOf } from "#dash/views/scope.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { dashModel, dashNowMs, viewChoice, viewSetting } from "../../support/dash-model.ts";

const setting = viewSetting();

describe("scopeOf", () => {
  test("a period is of whole local days, and never begins before the model", () => {
    const model = dashModel();
    const scope = (period: "today" | "7d" | "30d" | "all") =>
      scopeOf(model, viewChoice({ period }), setting).head;
    expect(scope("today")).toMatchObject({ first: "2026-11-13", last: "2026-11-13" });
    expect(scope("7d")).toMatchObject({ first: "2026-11-07", last: "2026-11-13" });
    expect(scope("all")).toMatchObject({ first: "2026-01-01", timezone: "Europe/Berlin" });
  });

  test("begins with the estimator of the most tokens; an unknown one chooses none", () => {
    const model = dashModel();
    const first = scopeOf(model, viewChoice(), setting);
    expect(first.head.estimators).toHaveLength(2);
    expect(first.estimator).toBe(first.head.estimators[0] ?? "");
    const second = first.head.estimators[1] ?? "";
    expect(scopeOf(model, viewChoice({ estimator: second }), setting).estimator).toBe(second);
    expect(scopeOf(model, viewChoice({ estimator: "x" }), setting).estimator).toBe(first.estimator);
  });

  test("filters choose numbers, and the names to choose from stay", () => {
    const model = dashModel();
    const all = scopeOf(model, viewChoice(), setting);
    const one = scopeOf(model, viewChoice({ server: "github" }), setting);
    expect(one.head.servers).toEqual(all.head.servers);
    expect(all.head.servers).toContain("github");
    expect(new Set(one.facts.map(({ server }) => server))).toEqual(new Set(["github"]));
    expect(scopeOf(model, viewChoice({ server: "git*" }), setting).facts).toEqual([]);
    const client = scopeOf(model, viewChoice({ client: "opencode" }), setting);
    expect(new Set(client.facts.map(({ session }) => session.client))).toEqual(
      new Set(["opencode"]),
    );
  });

  test("without records there is nothing, and nothing fails", () => {
    const scope = scopeOf(dashModel([]), viewChoice({ period: "30d" }), setting);
    expect(scope.block).toBeUndefined();
    expect(scope.head).toMatchObject({
      servers: [],
      clients: [],
      estimators: [],
      estimation: null,
    });
  });
});

const at = (ms: number): string => new Date(ms).toISOString();

test("callRows gives the calls of the period whose session has the estimator and the client", () => {
  const day = 86_400_000;
  const model = dashModel([
    sessionRecord({ session_id: "a", seq: 0, ts: at(dashNowMs - 2 * day), client_name: "codex" }),
    callRecord({ session_id: "a", seq: 1, ts: at(dashNowMs - 2 * day) }),
    callRecord({ session_id: "a", seq: 2, ts: at(dashNowMs) }),
    sessionRecord({ session_id: "b", seq: 0, ts: at(dashNowMs), estimator: "claude" }),
    callRecord({ session_id: "b", seq: 1, ts: at(dashNowMs), output_tokens: 9_999 }),
  ]);
  const rows = (told: object) => callRows(scopeOf(model, viewChoice(told), setting)).length;
  expect(rows({ period: "all", estimator: "chars3" })).toBe(2);
  expect(rows({ period: "today", estimator: "chars3" })).toBe(1);
  expect(rows({ period: "all", estimator: "claude" })).toBe(1);
  expect(rows({ period: "all", client: "codex" })).toBe(2);
  const scope = scopeOf(model, viewChoice({ estimator: "chars3" }), setting);
  expect(isOfScope(model.sessions.get("a"), scope)).toBe(true);
  expect(isOfScope(model.sessions.get("b"), scope)).toBe(false);
  expect(isOfScope(undefined, scope)).toBe(false);
});
