import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { geminiCli } from "#history/importers/gemini-cli.ts";
import { reportClient } from "#history/imports/import-report.ts";
import { mergeLogs, type ReadLog } from "#history/imports/merge-logs.ts";
import { readLog } from "#state/storage/logs/read-log.ts";
import { always, logsFolder, plainUtils, readHome } from "../../support/logs.ts";

const home = join(logsFolder, "gemini-cli");
const totals = JSON.parse(readFileSync(join(home, "expected.json"), "utf8"));

describe("the example home", () => {
  test("in any order of files has the same totals", async () => {
    const logs = await readHome(geminiCli, home);
    const reports = [logs, logs.toReversed()].map((files) =>
      reportClient("gemini-cli", mergeLogs(files), { range: always, knownServers: [] }),
    );
    expect(reports[1]).toEqual(reports[0]);
  });

  test("does not have the totals of a reader that adds up all lines", async () => {
    const lines = (await readHome(geminiCli, home)).flatMap(({ events }) =>
      events.filter(({ kind }) => kind === "request"),
    );
    expect(lines.length).toBeGreaterThan(totals.usage.requests);
  });
});

type RunTotals = Readonly<
  Record<"requests" | "input" | "output" | "cached" | "thoughts" | "tool", number>
>;

// Written by Gemini CLI 0.61.0, by file, with shortened texts.
const real = join(logsFolder, "real", "gemini-cli");
const runs: Readonly<Record<string, RunTotals>> = JSON.parse(
  readFileSync(join(real, "expected.json"), "utf8"),
);

async function reportOfRun(paths: string) {
  const logs: ReadLog[] = [];
  for (const path of paths.split("+")) {
    const file = join(real, ".gemini/tmp", path);
    const outcome = await readLog({ file, path, form: "lines", group: "" }, geminiCli, plainUtils);
    if ("fault" in outcome) throw new Error(outcome.fault);
    logs.push(outcome);
  }
  return reportClient("gemini-cli", mergeLogs(logs), { range: always, knownServers: [] });
}

test.each(Object.entries(runs))(
  "the real session %s has the tokens that were billed",
  async (paths, billed) => {
    const report = await reportOfRun(paths);
    expect(report.usage).toEqual({
      requests: billed.requests,
      input_uncached: billed.input - billed.cached + billed.tool,
      cache_read: billed.cached,
      cache_write_5m: 0,
      cache_write_1h: 0,
      output: billed.output + billed.thoughts,
      reasoning: billed.thoughts,
    });
    expect(report.unknown_records).toBe(0);
    expect(Object.keys(report.mcp_by_server)).toEqual(["lab"]);
    expect(new Set(report.calls.map(({ id }) => id)).size).toBe(report.mcp_calls);
  },
);

const findFolder = (env: Readonly<Record<string, string>>) =>
  geminiCli.findFolders({ folder: "/h", env, platform: "linux" })[0]?.folder;

test("its folder is below the home that its variable names, or the user's", async () => {
  expect(findFolder({})).toBe("/h/.gemini/tmp");
  expect(findFolder({ GEMINI_CLI_HOME: "/g/" })).toBe("/g/.gemini/tmp");
  expect(findFolder({ GEMINI_CLI_HOME: "g" })).toBe("/h/.gemini/tmp");
});

test("sessions and sub-agents below chats are read, and nothing else", async () => {
  const [logFolder] = geminiCli.findFolders({ folder: "/h", env: {}, platform: "linux" });
  const detectForm = (path: string) => logFolder?.detectForm(path);
  expect(detectForm("demo/chats/session-2026-03-14T23-50-aaaa1111.jsonl")).toBe("lines");
  expect(detectForm("demo/chats/aaaa/sub-1.jsonl")).toBe("lines");
  expect(detectForm("demo/chats/session-2025-12-03T10-00-bbbb2222.json")).toBe("document");
  for (const path of [
    "demo/logs.json",
    "demo/checkpoint-a.json",
    "demo/chats/session-1.jsonl.tmp-12",
    "demo/chats/session-1.jsonl.unreadable-17",
    "demo/chats/x.json",
    "demo/.project_root",
  ]) {
    expect(detectForm(path)).toBeUndefined();
  }
});
