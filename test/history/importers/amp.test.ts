import { expect, test } from "bun:test";
import { join } from "node:path";
import { amp } from "#history/importers/amp.ts";
import { eventsOf, logsFolder, reportOf } from "../../support/logs.ts";

const home = join(logsFolder, "amp");

test("a message's usage counts, or the ledger's if the message has none", async () => {
  const report = await reportOf("amp", [home]);
  expect(report.usage).toEqual({
    requests: 2,
    input_uncached: 17,
    cache_read: 100,
    cache_write_5m: 900,
    cache_write_1h: 0,
    output: 7,
    reasoning: 0,
  });
  expect(Object.keys(report.usage_by_utc_day).toSorted()).toEqual(["2026-03-15", "2026-03-16"]);
  const rows = report.calls.map((call) => [
    call.id,
    call.tool,
    call.outcome,
    call.visible_bytes,
    call.images,
  ]);
  expect(rows).toEqual([
    ["a1", "search", "ok", 3, 1],
    ["a3", "fetch", "tool_error", 3, 0],
  ]);
});

const countFor = (model: string, thread: { readonly [key: string]: unknown }) =>
  eventsOf(
    (tools) =>
      amp.open("T-9.json", { ...tools, countTokens: (_, given) => (given === model ? 5 : null) }),
    [thread],
  ).events;

const useMessage = {
  messageId: 1,
  content: [{ type: "tool_use", id: "a", name: "mcp__docs__search", input: {} }],
};

const resultMessage = {
  messageId: 2,
  content: [
    { type: "tool_result", toolUseID: "a", run: { status: "done", result: "x" } },
    { type: "tool_result", toolUseID: "b", run: { status: "done", result: "built-in" } },
  ],
};

test("an answer is counted for the model that made the call", () => {
  const usage = { model: "claude-opus-5", inputTokens: 1, outputTokens: 1 };
  const thread = { id: "T-9", messages: [{ ...useMessage, usage }, resultMessage] };
  expect(countFor("claude-opus-5", thread)).toMatchObject([
    { kind: "conversation" },
    { kind: "request" },
    { kind: "tool_use", model: "claude-opus-5", argumentTokens: 5 },
    { kind: "tool_result", id: "a", tokens: 5 },
  ]);
});

test("a call whose message has no usage belongs to the ledger's request, and to its model", () => {
  const tokens = { input: 7, output: 2 };
  const events = [{ id: "e", toMessageId: 1, model: "gpt-5.4", tokens }];
  const thread = { id: "T-9", messages: [useMessage, resultMessage], usageLedger: { events } };
  expect(countFor("gpt-5.4", thread)).toMatchObject([
    { kind: "conversation" },
    { kind: "tool_use", model: "gpt-5.4", message: "T-9/1", argumentTokens: 5 },
    { kind: "tool_result", tokens: 5 },
    { kind: "request", keys: { message: "T-9/1" } },
  ]);
});

const listFolders = (env: Readonly<Record<string, string>>) =>
  amp.findFolders({ folder: "/h", env, platform: "linux" }).map(({ folder }) => folder);

test("its folder is named by its variables, or is the usual one; only threads are read", () => {
  expect(listFolders({})).toEqual(["/h/.local/share/amp/threads"]);
  expect(listFolders({ XDG_DATA_HOME: "/x" })).toEqual(["/x/amp/threads"]);
  expect(listFolders({ XDG_DATA_HOME: "/x/" })).toEqual(["/x/amp/threads"]);
  expect(listFolders({ AMP_DATA_DIR: "/a/", XDG_DATA_HOME: "/x" })).toEqual(["/a/threads"]);
  const [logFolder] = amp.findFolders({ folder: "/h", env: {}, platform: "linux" });
  expect(logFolder?.detectForm("T-1.json")).toBe("document");
  for (const path of ["secrets.json", "a/T-1.json", "T-1.json.tmp"]) {
    expect(logFolder?.detectForm(path)).toBeUndefined();
  }
});
