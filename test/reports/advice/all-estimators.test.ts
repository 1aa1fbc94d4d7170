import { expect, test } from "bun:test";
import { withAllCalls } from "#reports/advice/all-estimators.ts";
import { noLists, type ServerUsage } from "#reports/advice/server-usage.ts";
import { definitionsRecord } from "../../support/made-records.ts";

function usage(server: string, rest: Partial<ServerUsage> = {}): ServerUsage {
  return {
    server,
    sessions: 1,
    tools: [],
    called: new Set(),
    calls: 0,
    lists: noLists,
    named: [{ tools: ["a"], tokens: 5, requests: 2 }],
    describing: noLists,
    residentTokens: 0,
    ...rest,
  };
}

test("a server has the calls of all estimators, and others have theirs", () => {
  const [one, other] = [usage("docs"), usage("docs", { calls: 3, called: new Set(["a"]) })];
  const found = withAllCalls([one, usage("files")], [one, other, usage("files")]);
  expect(found.map(({ server, calls, called }) => [server, calls, [...called]])).toEqual([
    ["docs", 3, ["a"]],
    ["files", 0, []],
  ]);
});

test("names in logs say nothing where a session of any estimator has recorded the definitions", () => {
  const newest = { ts: "2026-11-15T08:00:00.000Z", ms: 0, list: definitionsRecord() };
  const recorded = usage("docs", { lists: { ...noLists, newest } });
  const named = withAllCalls([usage("docs"), usage("files")], [recorded, usage("files")]);
  expect(named.map((one) => one.named.length)).toEqual([0, 1]);
});
