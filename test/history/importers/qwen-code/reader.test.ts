import { expect, test } from "bun:test";
import { QwenReader } from "#history/importers/qwen-code.ts";
import { reportClient } from "#history/imports/import-report.ts";
import { noFileCounts, mergeLogs } from "#history/imports/merge-logs.ts";
import { always, eventsOf } from "../../../support/logs.ts";

const read = (lines: readonly Record<string, unknown>[]) =>
  eventsOf((tools) => new QwenReader("-code/chats/s.jsonl", tools), lines);

const record = (type: string, more: object = {}) => ({
  uuid: "u1",
  sessionId: "s",
  timestamp: "2026-11-21T14:06:06.000Z",
  cwd: "/secret",
  version: "0.24.4",
  type,
  ...more,
});
const answer = (more: object = {}) =>
  record("assistant", {
    model: "m",
    usageMetadata: { promptTokenCount: 10, totalTokenCount: 12 },
    ...more,
  });

const countRequests = (...files: readonly (readonly Record<string, unknown>[])[]) => {
  const logs = files.map((lines) => ({ events: read(lines).events, counts: noFileCounts }));
  return reportClient("qwen-code", mergeLogs(logs), { range: always, knownServers: [] }).usage
    .requests;
};

test("a session is described once, its folder as a hash", () => {
  const { events } = read([record("user"), answer()]);
  expect(events.map(({ kind }) => kind)).toEqual(["conversation", "request"]);
  expect(events[0]).toMatchObject({ conversation: "s", clientVersion: "0.24.4" });
  expect(JSON.stringify(events)).not.toContain("secret");
});

test("copies in a fork are the originals, and requests of the fork are new", () => {
  const copy = answer({
    uuid: "u2",
    sessionId: "f",
    forkedFrom: { sessionId: "s", messageUuid: "u1" },
  });
  const ownAnswer = answer({ uuid: "u3", sessionId: "f", timestamp: "2026-11-22T00:00:00Z" });
  expect(countRequests([answer()], [copy, ownAnswer])).toBe(2);
  expect(read([copy]).events[0]).toMatchObject({ role: "fork", parent: "s" });
});

test("abandoned branches are paid for; a rewind and a compression are boundaries", () => {
  const lines = [
    answer(),
    record("system", { subtype: "rewind", uuid: "r" }),
    answer({ uuid: "u2" }),
    record("system", { subtype: "chat_compression", uuid: "c" }),
  ];
  expect(countRequests(lines)).toBe(2);
  const boundaries = read(lines).events.filter(({ kind }) => kind === "boundary");
  expect(boundaries).toMatchObject([{ reason: "rewind" }, { reason: "compaction", line: "c" }]);
});

test("a sub-agent's records are a conversation of their own", () => {
  const { events } = read([answer({ isSidechain: true, agentId: "a1" })]);
  expect(events[0]).toMatchObject({
    conversation: "a1",
    role: "subagent",
    parent: "s",
    session: "s",
  });
});

test("a record of a new type is counted", () => {
  expect(read([record("hologram"), {}]).unknown).toBe(2);
});
