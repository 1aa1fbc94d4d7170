import { expect, test } from "bun:test";
import type { LogEvent, ToolEndEvent } from "#history/imports/log-event.ts";
import { mergeCalls, statedServersMax } from "#history/imports/merge-calls.ts";
import { resultLine, useLine } from "../../support/logs.ts";

const end: ToolEndEvent = {
  kind: "tool_end",
  at: 3000,
  conversation: "one",
  id: "call",
  name: { server: "true name", tool: "search" },
  method: "tools/call",
  outcome: "rpc_error",
  durationMs: 7,
  argumentBytes: 4,
  argumentTokens: 2,
  argumentsHash: "end",
};

test("a call has the first answer, in any order of its lines", () => {
  const late = resultLine({ bytes: 99 });
  const { calls } = mergeCalls([resultLine(), useLine(), late, useLine({ at: 5 })], []);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({ server: "docs", tool: "search", bytes: 8, at: 1000 });
});

test("a call without an answer is abandoned", () => {
  expect(mergeCalls([useLine()], []).calls[0]).toMatchObject({
    outcome: "abandoned",
    visible: "none",
    bytes: null,
  });
});

test("the client's event for the end of a call has the true name and outcome", () => {
  expect(mergeCalls([useLine(), resultLine(), end], []).calls[0]).toMatchObject({
    server: "true name",
    outcome: "rpc_error",
    durationMs: 7,
    bytes: 8,
  });
});

test("an end alone is a call from a script, which may have read any part of the answer", () => {
  const { calls } = mergeCalls([end], []);
  expect(calls[0]).toMatchObject({ visible: "unknown", bytes: null, argumentBytes: 4, at: 3000 });
});

const stateServer = (server: string, at: number) =>
  useLine({ id: `s${at}`, at, name: { server, tool: "list" } });

const joinName = (joined: string) =>
  useLine({ id: "j", at: 9_999, name: { joined, form: "mcp_server_tool" } });

const splitAfter = (stated: readonly string[], joined: string) => {
  const call = mergeCalls([...stated.map(stateServer), joinName(joined)], []).calls.at(-1);
  return [call?.server, call?.tool];
};

test("servers that other calls name are known", () => {
  expect(splitAfter(["big_db"], "mcp_big_db_run")).toEqual(["big_db", "run"]);
  expect(splitAfter([], "mcp_big_db_run")).toEqual(["big", "db_run"]);
});

test("the number of known servers is limited, so that names are split quickly", () => {
  const servers = Array.from({ length: statedServersMax + 1 }, (_, at) => `big_${at}`);
  const last = statedServersMax - 1;
  expect(splitAfter(servers, `mcp_big_${last}_run`)).toEqual([`big_${last}`, "run"]);
  expect(splitAfter(servers, `mcp_big_${last + 1}_run`)).toEqual(["big", `${last + 1}_run`]);
});

test("names without a server are counted, and answers without a call are not calls", () => {
  const bare = useLine({ name: { joined: "docs_search", form: "server_tool" } });
  expect(mergeCalls([bare, resultLine()], [])).toEqual({ calls: [], unknownServerCalls: 1 });
  expect(mergeCalls([bare], ["docs"]).calls).toHaveLength(1);
  expect(mergeCalls([resultLine()], [])).toEqual({ calls: [], unknownServerCalls: 0 });
});

const merged = (...results: readonly LogEvent[]) =>
  mergeCalls([useLine(), ...results], []).calls.map(({ outcome, bytes }) => [outcome, bytes]);

test("an answer with its text replaces a line that has only its outcome", () => {
  const failed = resultLine({ visible: "none", outcome: "cancelled", bytes: null });
  const answered = resultLine({ bytes: 5 });
  const masked = resultLine({ bytes: 1 });
  expect(merged(failed, answered, masked)).toEqual([["ok", 5]]);
  expect(merged(failed)).toEqual([["cancelled", null]]);
});
