import { expect, test } from "bun:test";
import { join } from "node:path";
import { qwenCode } from "#history/importers/qwen-code.ts";
import { logsFolder, reportOf } from "../../support/logs.ts";

// Written by Qwen Code 0.24.4, with shortened texts.
const home = join(logsFolder, "qwen-code");

test("real sessions have the tokens that were billed: 38 and 2 requests", async () => {
  const report = await reportOf("qwen-code", [home]);
  expect(report.usage).toEqual({
    requests: 40,
    input_uncached: 45_030 - 4503 + (2010 - 201),
    cache_read: 4503 + 201,
    cache_write_5m: 0,
    cache_write_1h: 0,
    output: 1463 + 41,
    reasoning: 190 + 10,
  });
  expect([report.sessions, report.unknown_records, report.bad_lines]).toEqual([2, 0, 0]);
});

test("calls have server and tool from the telemetry, their outcome, images and duration", async () => {
  const { calls, mcp_by_server: servers } = await reportOf("qwen-code", [home]);
  expect(Object.keys(servers)).toEqual(["lab"]);
  const call = (tool: string) => calls.find((logged) => logged.tool === tool);
  expect(call("plain")).toMatchObject({ outcome: "ok", visible_bytes: 16, images: 0 });
  expect(call("image_small")).toMatchObject({ outcome: "ok", images: 1 });
  expect(call("err_text")).toMatchObject({ outcome: "tool_error" });
  expect(calls.every(({ duration_ms: duration }) => duration !== undefined)).toBe(true);
});

const listFolders = (env: Readonly<Record<string, string>>) =>
  qwenCode.findFolders({ folder: "/h", env, platform: "linux" }).map(({ folder }) => folder);

test("its folder is named by its variables, or is the usual one", () => {
  expect(listFolders({})).toEqual(["/h/.qwen/projects"]);
  expect(listFolders({ QWEN_HOME: "/q/" })).toEqual(["/q/projects"]);
  expect(listFolders({ QWEN_HOME: "/q", QWEN_RUNTIME_DIR: "/r" })).toEqual(["/r/projects"]);
  expect(listFolders({ QWEN_HOME: "q" })).toEqual(["/h/.qwen/projects"]);
});

test("chats are read, and nothing else", () => {
  const [logFolder] = qwenCode.findFolders({ folder: "/h", env: {}, platform: "linux" });
  expect(logFolder?.detectForm("-code/chats/1.jsonl")).toBe("lines");
  for (const path of ["-code/usage.jsonl", "-code/chats/1.json", "chats/1.jsonl"]) {
    expect(logFolder?.detectForm(path)).toBeUndefined();
  }
});

test("names of servers are in its settings", () => {
  const files = qwenCode.findSettings?.({ folder: "/h", env: {}, platform: "linux" });
  expect(files?.map(({ file }) => file)).toEqual(["/h/.qwen/settings.json"]);
});
