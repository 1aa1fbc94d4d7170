import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCode } from "#history/importers/claude-code.ts";
import { logsFolder, readHome, reportOf } from "../../support/logs.ts";

const home = join(logsFolder, "claude-code");
const expected = JSON.parse(readFileSync(join(home, "expected.json"), "utf8"));
const { known_servers: servers } = expected;

describe("the example home", () => {
  test("does not have the totals of naive readers", async () => {
    const lines = (await readHome(claudeCode, home)).flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === "request" ? [event.usage] : [])),
    );
    const naive = { lines: lines.length, read: 0 };
    for (const { cacheRead } of lines) naive.read += cacheRead;
    // 19 of the 20 lines with usage: an API failure's line has no tokens.
    expect(naive).toEqual({ lines: 19, read: 102_060 });
    const { usage } = await reportOf("claude-code", [home], servers);
    expect([usage.requests, usage.cache_read, usage.output]).toEqual([8, 65_050, 550]);
  });
});

const folders = (env: Record<string, string>) =>
  claudeCode.findFolders({ folder: "/h", env, platform: "linux" }).map(({ folder }) => folder);

test("its folders are named by its variables, or are the usual ones", () => {
  expect(folders({})).toEqual(["/h/.config/claude/projects", "/h/.claude/projects"]);
  expect(folders({ XDG_CONFIG_HOME: "/x" })[0]).toBe("/x/claude/projects");
  const named = { CLAUDE_CONFIG_DIR: "/a, /b/projects/,relative" };
  expect(folders(named)).toEqual(["/a/projects", "/b/projects"]);
});

test("sessions and sub-agents are read, and nothing else", async () => {
  const [logFolder] = claudeCode.findFolders({ folder: "/h", env: {}, platform: "linux" });
  const isRead = (path: string) => logFolder?.detectForm(path) === "lines";
  expect(isRead("-work/1.jsonl")).toBe(true);
  expect(isRead("-work/1/subagents/agent-2.jsonl")).toBe(true);
  expect(isRead("-work/1/subagents/agent-2.meta.json")).toBe(false);
  expect(isRead("-work/1/tool-results/toolu_1.jsonl")).toBe(false);
  expect(isRead("history.jsonl")).toBe(false);
});

const runs = join(logsFolder, "claude-code-runs");

async function spilled(run: string): Promise<string[]> {
  const { calls } = await reportOf("claude-code", [join(runs, run)]);
  return calls
    .filter(({ visible }) => visible === "spilled")
    .map(({ tool }) => tool)
    .toSorted();
}

describe("a run of the real client", () => {
  for (const run of readdirSync(runs).filter((name) => name !== "odd")) {
    test(`${run} has the usage of all its requests`, async () => {
      const { usage } = await reportOf("claude-code", [join(runs, run)]);
      const billed: unknown = JSON.parse(readFileSync(join(runs, run, "expected.json"), "utf8"));
      const read: unknown = {
        requests: usage.requests,
        input_tokens: usage.input_uncached,
        cache_read_input_tokens: usage.cache_read,
        cache_creation_input_tokens: usage.cache_write_5m + usage.cache_write_1h,
        output_tokens: usage.output,
      };
      expect(read).toEqual(billed);
    });
  }

  test("with a compaction and a fork has the request that the log leaves out", async () => {
    const { usage_unlogged: unlogged, sessions } = await reportOf("claude-code", [
      join(runs, "res"),
    ]);
    expect(unlogged).toMatchObject({ requests: 1, input_uncached: 15, output: 35 });
    expect(sessions).toBe(2);
  });

  test("with sub-agents has their calls under their ids", async () => {
    const { calls, rejected_calls: rejected } = await reportOf("claude-code", [join(runs, "sub")]);
    const agents = calls.map(({ tool, agent, visible }) => [tool, agent !== null, visible]);
    expect(agents).toEqual([
      ["sub", true, "as logged"],
      ["ch60k", true, "spilled"],
      ["plain", false, "as logged"],
      ["differ", false, "as logged"],
      ["ch60k", false, "spilled"],
      ["plain", false, "as logged"],
    ]);
    expect(rejected).toEqual({ denied: 0, unknown_tool: 1 });
  });

  test("whose calls were denied has no calls", async () => {
    const { mcp_calls: calls, rejected_calls: rejected } = await reportOf("claude-code", [
      join(runs, "odd"),
    ]);
    expect([calls, rejected]).toEqual([0, { denied: 2, unknown_tool: 0 }]);
  });

  test("with long answers knows which were spilled or cut", async () => {
    expect(await spilled("lim1000")).toEqual([
      "ch120k",
      "ch120k_img",
      "ch40k",
      "ch60k_img",
      "image_big",
    ]);
    // Seven were saved to files, and two contain an error about that.
    expect(await spilled("all")).toHaveLength(9);
  });

  test("with parallel calls has each answer with its call", async () => {
    const { calls } = await reportOf("claude-code", [join(runs, "agg")]);
    expect(calls.map(({ outcome, visible_bytes: bytes }) => [outcome, bytes])).toEqual(
      Array.from({ length: 5 }, () => ["ok", "[49990 characters]".length]),
    );
  });
});
