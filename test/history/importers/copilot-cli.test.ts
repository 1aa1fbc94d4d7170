import { expect, test } from "bun:test";
import { join } from "node:path";
import { copilotCli } from "#history/importers/copilot-cli.ts";
import { logsFolder, reportOf } from "../../support/logs.ts";

// Written by Copilot CLI 1.0.102, with shortened texts.
const home = join(logsFolder, "copilot-cli");

const sum = (...parts: readonly number[]) => parts.reduce((total, number) => total + number, 0);

test("real sessions have the tokens of their own totals: 38, 12 and 2 requests", async () => {
  const report = await reportOf("copilot-cli", [home]);
  expect(report.usage).toEqual({
    requests: sum(38, 12, 2),
    input_uncached: sum(45_030, 12_660, 2010) - sum(4503, 1266, 201),
    cache_read: sum(4503, 1266, 201),
    cache_write_5m: 0,
    cache_write_1h: 0,
    output: sum(1463, 306, 41),
    reasoning: sum(190, 60, 10),
  });
  // Every request is logged, so the client's total adds none.
  expect(report.usage_unlogged).toMatchObject({ requests: 0, input_uncached: 0, output: 0 });
  expect([report.sessions, report.unknown_records, report.bad_lines]).toEqual([3, 0, 0]);
});

test("calls of servers have their outcome, and calls of the client's own tools are left out", async () => {
  const { calls, mcp_by_server: servers } = await reportOf("copilot-cli", [home]);
  expect(Object.keys(servers)).toEqual(["lab"]);
  expect(calls.filter(({ outcome }) => outcome === "abandoned")).toEqual([]);
  const call = (tool: string) => calls.find((logged) => logged.tool === tool);
  expect(call("plain")).toMatchObject({ outcome: "ok", visible_bytes: 16, visible: "as logged" });
  expect(call("image_small")).toMatchObject({ outcome: "ok", visible_bytes: 0, images: 1 });
  expect(call("err_text")).toMatchObject({ outcome: "tool_error" });
  expect(calls.filter(({ visible }) => visible === "spilled").length).toBeGreaterThan(0);
});

const listFolders = (env: Readonly<Record<string, string>>) =>
  copilotCli.findFolders({ folder: "/h", env, platform: "linux" }).map(({ folder }) => folder);

test("its folder is named by its variable, or is the usual one", () => {
  expect(listFolders({})).toEqual(["/h/.copilot/session-state"]);
  expect(listFolders({ COPILOT_HOME: "/c/" })).toEqual(["/c/session-state"]);
  expect(listFolders({ COPILOT_HOME: "c" })).toEqual(["/h/.copilot/session-state"]);
});

test("events are read, and nothing else", () => {
  const [logFolder] = copilotCli.findFolders({ folder: "/h", env: {}, platform: "linux" });
  expect(logFolder?.detectForm("1/events.jsonl")).toBe("lines");
  expect(logFolder?.detectForm("1.jsonl")).toBe("lines");
  for (const path of ["1/workspace.yaml", "1/files/a.jsonl", "1/session.db"]) {
    expect(logFolder?.detectForm(path)).toBeUndefined();
  }
});

test("names of servers are in its settings", () => {
  const files = copilotCli.findSettings?.({ folder: "/h", env: {}, platform: "linux" });
  expect(files?.map(({ file }) => file)).toEqual(["/h/.copilot/mcp-config.json"]);
});
