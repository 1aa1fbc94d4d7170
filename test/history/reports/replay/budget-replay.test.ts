import { expect, test } from "bun:test";
import { actionRules } from "#meter/actions/action-rules.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { BudgetReplay } from "#history/reports/replay/budget-replay.ts";
import { OrderedCalls, replayedCallsMax } from "#history/reports/replay/ordered-calls.ts";
import type { CallRecord } from "#records/record.ts";
import { callRecord, sessionRecord } from "../../../support/made-records.ts";

const at = (minute: number, members: Partial<CallRecord> = {}) =>
  callRecord({
    ts: new Date(Date.UTC(2026, 10, 22, 12, minute)).toISOString(),
    method: "tools/call",
    tool: "read",
    input_tokens: 10,
    output_tokens: 90,
    ...members,
  });

function replayed(spec: string, calls: readonly CallRecord[]) {
  const replay = new BudgetReplay([parseBudget(spec, actionRules)], new OrderedCalls());
  for (const call of calls) replay.add(call, Date.parse(call.ts));
  const [result] = replay.computeResults();
  return result && [result.calls, result.breaches, result.tokens, result.spared_tokens];
}

const three = [at(0), at(1, { output_tokens: 990 }), at(2)];

test.each([
  // A limit per call withholds the call of 1,000 tokens, minus 100 for its refusal, or shortens it.
  ["read=500", [3, 1, 1_200, 890]],
  ["read=500:truncate", [3, 1, 1_200, 500]],
  ["read=500:spill", [3, 1, 1_200, 500]],
  ["read=500:warn", [3, 1, 1_200, 0]],
  // 100 + 1,000 do not fit; withheld tokens are not spent, so the third call fits.
  ["read=1000/session", [3, 1, 1_200, 890]],
  // 100, then 900 of 1,000: nothing is left for the third call, whose refusal costs more than its answer.
  ["read=1000/session:truncate", [3, 2, 1_200, 100 + 90 - 100]],
  ["read=2calls/session", [3, 1, 1_200, 90 - 100]],
  ["read=2calls/minute", [3, 0, 1_200, 0]],
  ["read=1calls/hour:throttle", [3, 2, 1_200, 0]],
  ["read=0", [3, 3, 1_200, 1_170 - 300]],
  // The arguments alone do not fit.
  ["read=5", [3, 3, 1_200, 1_170 - 300]],
  ["re*=500", [3, 1, 1_200, 890]],
  // A forbidden name is forbidden in any case; other limits are not.
  ["READ=0", [3, 3, 1_200, 1_170 - 300]],
  ["READ=5", [0, 0, 0, 0]],
  ["other=1", [0, 0, 0, 0]],
  ["500", [3, 1, 1_200, 890]],
] as const)("%s: calls, breaches, tokens and those spared", (spec, result) => {
  expect(replayed(spec, three)).toEqual([...result]);
  expect(replayed(spec, three.toReversed())).toEqual([...result]);
});

test("a budget counts by server and tool, by server, or over all servers", () => {
  const calls = [at(0), at(1, { tool: "write" }), at(2, { server: "other" })];
  const breaches = (spec: string) => replayed(spec, calls)?.[1];
  expect(breaches("*=150/hour")).toBe(0);
  expect(breaches("150/hour")).toBe(1);
  expect(breaches("all=150/hour")).toBe(2);
});

test("budgets begin again with each session and window", () => {
  const calls = [at(0), at(30), at(61), at(62, { session_id: "later" })];
  expect(replayed("read=150/hour", calls)?.[1]).toBe(2);
  expect(replayed("read=150/session", calls)?.[1]).toBe(2);
  expect(replayed("read=150/day", calls)?.[1]).toBe(3);
});

test.each([
  ["150/day/user", 2],
  ["250/day/user", 0],
  ["150/day", 4],
])("%s: a budget per user counts for each user, and nameless ones together", (spec, breaches) => {
  const ordered = new OrderedCalls();
  const replay = new BudgetReplay([parseBudget(spec, actionRules)], ordered);
  const users = [{ user: "ada" }, { user: "bob" }, { user: "ada" }, {}, {}];
  for (const [number, user] of users.entries()) {
    const session_id = `${number}`;
    ordered.addSession(sessionRecord({ session_id, ...user }));
    replay.add(at(0, { session_id }), 0);
  }
  expect(replay.computeResults()[0]?.breaches).toBe(breaches);
});

test("refused calls cost nothing, and prompts count only for budgets without a tool", () => {
  const calls = [at(0, { outcome: "refused" }), at(1, { method: "prompts/get", tool: "read" })];
  expect(replayed("read=1", calls)).toEqual([0, 0, 0, 0]);
  expect(replayed("1", calls)?.[0]).toBe(1);
});

test("clients are chosen by the newest name in their session", () => {
  const ordered = new OrderedCalls();
  const replay = new BudgetReplay([parseBudget("read=1", actionRules)], ordered);
  for (const client_name of ["one", "two"]) {
    const session_id = client_name;
    ordered.addSession(sessionRecord({ session_id, seq: 9, client_name }));
    replay.add(at(0, { session_id, seq: 1 }), 0);
    ordered.addSession(sessionRecord({ session_id, seq: 0, client_name: null }));
  }
  const calls = (clients: readonly string[]) => replay.computeResults(clients)[0]?.calls;
  expect([calls([]), calls(["o*"]), calls(["three"])]).toEqual([2, 1, 0]);
});

test("hasCalls is true even if no budget applies to a call", () => {
  const replay = new BudgetReplay([parseBudget("other=1", actionRules)], new OrderedCalls());
  expect(replay.hasCalls).toBe(false);
  replay.add(at(0), 0);
  expect(replay.hasCalls).toBe(true);
});

test("more calls than there is room for are left out, and counted", () => {
  const ordered = new OrderedCalls();
  const replay = new BudgetReplay([parseBudget("read=1", actionRules)], ordered);
  const call = at(0);
  for (let left = replayedCallsMax + 2; left > 0; left -= 1) replay.add(call, 0);
  expect(ordered.leftOut).toBe(2);
});

test("Claude Code shows its model less of a shortened answer with structuredContent than the budget", () => {
  const structured = { output_tokens: 20_000, wire_tokens: 40_000, duplicate_tokens: 20_000 };
  const savedBy = (client_name: string, spec: string) => {
    const ordered = new OrderedCalls();
    const replay = new BudgetReplay([parseBudget(spec, actionRules)], ordered);
    const call = at(0, structured);
    ordered.addSession(sessionRecord({ session_id: call.session_id, client_name }));
    replay.add(call, 0);
    return replay.computeResults()[0]?.spared_tokens;
  };
  expect(savedBy("claude-code", "read=10k:truncate")).toBe(20_000 - 2_900);
  expect(savedBy("codex", "read=10k:truncate")).toBe(10_010);
  expect(savedBy("claude-code", "read=1k:truncate")).toBe(19_010);
});
