import { describe, expect, test } from "bun:test";
import { type LogEvent, type SessionTotalEvent, noUsage } from "#history/imports/log-event.ts";
import { sessionStartMaxMs } from "#history/imports/requests-from-totals.ts";
import { mergeLogs, noFileCounts } from "#history/imports/merge-logs.ts";
import { requestLine } from "../../support/logs.ts";

const total = (output: number, facts: Partial<SessionTotalEvent> = {}): SessionTotalEvent => ({
  kind: "session_total",
  at: 5000,
  conversation: "one",
  startMs: null,
  models: [{ model: "model", usage: { ...noUsage, output } }],
  ...facts,
});

const request = (at: number, output: number, conversation = "one"): LogEvent =>
  requestLine({
    at,
    conversation,
    keys: { message: `${conversation} ${at}`, request: null, line: null },
    usage: { ...noUsage, output },
  });

const compaction: LogEvent = {
  kind: "boundary",
  at: 3000,
  conversation: "one",
  reason: "compaction",
  line: "line",
};

function unlogged(...files: readonly (readonly LogEvent[])[]) {
  const { requests } = mergeLogs(files.map((events) => ({ events, counts: noFileCounts })));
  return requests
    .filter(({ isLogged }) => !isLogged)
    .map(({ count, at, model, usage }) => [count, at, model, usage.output]);
}

test("a session whose requests are all logged has no unlogged ones", () => {
  expect(unlogged([request(1000, 7), total(7)])).toEqual([]);
  expect(unlogged([request(1000, 7), total(3)])).toEqual([]);
  expect(unlogged([request(1000, 7)])).toEqual([]);
});

test("the rest of the client's sum is the compaction request, once for all copies of its line", () => {
  const file = [request(1000, 7), compaction, compaction, total(3), total(12)];
  expect(unlogged(file, file)).toEqual([[1, 3000, "model", 5]]);
});

test("without a compaction, the number of requests is not known", () => {
  expect(unlogged([request(1000, 7), total(12)])).toEqual([[0, 5000, "model", 5]]);
});

test("sub-agents are in the sum of their session", () => {
  const agent: readonly LogEvent[] = [
    {
      kind: "conversation",
      at: 1500,
      conversation: "agent",
      session: "one",
      role: "subagent",
      parent: "one",
      clientVersion: null,
      project: null,
    },
    request(1500, 4, "agent"),
  ];
  expect(unlogged([request(1000, 7), total(12)], agent)).toEqual([[0, 5000, "model", 1]]);
});

test("a model with two names is not counted twice", () => {
  const models = [{ model: "model[1m]", usage: { ...noUsage, output: 12 } }];
  const file = [request(1000, 7), total(0, { models })];
  expect(unlogged(file)).toEqual([[0, 5000, "model[1m]", 5]]);
});

describe("a fork", () => {
  const parent = [request(1000, 7), total(7, { at: 1000 }), total(9, { at: 9000 })];

  test("includes the parent's sum until then, and is never added to it", () => {
    const copy = requestLine({
      at: 1000,
      conversation: "two",
      keys: { message: "one 1000", request: null, line: null },
      usage: { ...noUsage, output: 7 },
    });
    const fork = [copy, request(6000, 2, "two"), total(11, { conversation: "two", at: 7000 })];
    // The parent's own 2; the fork's 11 - 7 - 2.
    expect(unlogged(parent, fork)).toEqual([
      [0, 9000, "model", 2],
      [0, 7000, "model", 2],
    ]);
  });
});

test("a session whose sum began with another session's includes the other's requests, also if its log is cut", () => {
  const startMs = 500;
  const cut = [request(1000, 7), total(3, { at: 900, startMs })];
  const fork = [request(6000, 2, "two"), total(11, { conversation: "two", at: 7000, startMs })];
  // 11 - 2 - 7: the 3 of the truncated total are fewer than the earlier requests.
  expect(unlogged(cut, fork)).toEqual([[0, 7000, "model", 2]]);
  const apart = [request(6000, 2, "two"), total(11, { conversation: "two", at: 7000 })];
  expect(unlogged(cut, apart)).toEqual([[0, 7000, "model", 9]]);
});

test("a session without a sum that began at the start of another's sum is part of it", () => {
  const startMs = 500;
  const fork = [request(60_000, 2, "two"), total(11, { conversation: "two", at: 70_000, startMs })];
  expect(unlogged([request(startMs + sessionStartMaxMs, 7)], fork)).toEqual([
    [0, 70_000, "model", 2],
  ]);
  expect(unlogged([request(startMs + sessionStartMaxMs + 1, 7)], fork)).toEqual([
    [0, 70_000, "model", 9],
  ]);
});
