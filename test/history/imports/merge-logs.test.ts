import { expect, test } from "bun:test";
import { noFileCounts, mergeLogs } from "#history/imports/merge-logs.ts";
import { type LogEvent, noUsage } from "#history/imports/log-event.ts";
import { requestLine, resultLine, useLine } from "../../support/logs.ts";

const log = (...events: readonly LogEvent[]) => ({ events, counts: noFileCounts });

test("a copied request makes a conversation a fork of its original", () => {
  const original = log(requestLine({ at: 1 }));
  const keys = { message: "own", request: null, line: null };
  const copy = log(
    requestLine({ at: 2, conversation: "two" }),
    requestLine({ conversation: "two", at: 3, keys }),
  );
  const { requests, conversations } = mergeLogs([copy, original]);
  expect(requests.map(({ conversation }) => conversation)).toEqual(["one", "two"]);
  expect(conversations.get("two")).toMatchObject({ role: "fork", parent: "one" });
});

test("calls that the client rejected are counted separately", () => {
  const denied = [useLine({ id: "a" }), resultLine({ id: "a", outcome: "denied" })];
  const missing = [useLine({ id: "b" }), resultLine({ id: "b", outcome: "unknown_tool" })];
  const merged = mergeLogs([log(...denied, ...missing, useLine({ id: "c" }))]);
  expect(merged.calls.map(({ id }) => id)).toEqual(["c"]);
  expect(merged.rejected.map(({ id }) => id)).toEqual(["a", "b"]);
});

const total = (input: number) => ({
  kind: "session_total" as const,
  at: 5,
  conversation: "one",
  models: [{ model: "m", usage: { ...noUsage, uncached: input } }],
});

test("the session's total in a database overrides the total in an older file", () => {
  const file = log(requestLine({ at: 1 }), total(100));
  const database = { ...log(total(500)), isDatabase: true };
  for (const files of [
    [file, database],
    [database, file],
  ]) {
    const { requests } = mergeLogs(files);
    expect(requests.find(({ model }) => model === "m")?.usage.uncached).toBe(500);
  }
});

test("counts of files add up", () => {
  const torn = { events: [], counts: { bad: 1, torn: 1, unknown: 2 } };
  expect(mergeLogs([torn, torn])).toMatchObject({
    filesRead: 2,
    counts: { bad: 2, torn: 2, unknown: 4 },
  });
});
