import { expect, test } from "bun:test";
import { join } from "node:path";
import { type GroupOrder, LogThread, readGroup, runInLanes } from "#commands/import/log-groups.ts";
import { ClientEstimators } from "#commands/import/log-tools.ts";
import { claudeCode } from "#history/importers/claude-code.ts";
import { findLogs } from "#state/storage/logs/find-logs.ts";
import { always, logsFolder } from "../../support/logs.ts";

const home = { folder: join(logsFolder, "claude-code"), env: {}, platform: "linux" };

const { files } = findLogs(claudeCode.findFolders(home));

const order: GroupOrder = {
  client: "claude-code",
  files,
  servers: ["docs"],
  range: always,
  listsCalls: true,
  makesRecords: true,
  tools: {
    countsTokens: true,
    measuresTexts: true,
    key: "k",
    namesProjects: false,
    keepsEntries: false,
  },
};

test("the thread reads and merges what this one would, and a missing file has its fault", async () => {
  const thread = new LogThread(new ClientEstimators());
  const group = await thread.readGroup(order);
  expect(group).toEqual(await readGroup(order, new ClientEstimators()));
  expect(group.conversations.length).toBeGreaterThan(1);
  const missing = {
    file: "/nowhere.jsonl",
    path: "nowhere.jsonl",
    form: "lines",
    group: "",
  } as const;
  const cut = await thread.readGroup({ ...order, files: [...files, missing] });
  expect(cut.faults).toEqual([{ path: "/nowhere.jsonl", fault: "ENOENT" }]);
  expect(cut.report).toEqual(group.report);
  thread.stop();
});

test("the work of a thread that ends is done here", async () => {
  const thread = new LogThread(new ClientEstimators());
  const begun = Promise.all([thread.readGroup(order), thread.readGroup(order)]);
  thread.stop();
  const group = await readGroup(order, new ClientEstimators());
  expect(await begun).toEqual([group, group]);
  expect(await thread.readGroup(order)).toEqual(group);
});

test("a session and its sub-agents are of one group", () => {
  const groups = Map.groupBy(files, ({ group }) => group);
  const paths = [...groups.values()].map((group) => group.map(({ path }) => path));
  expect(paths).toEqual([
    [
      "-work-demo/11111111-aaaa-4aaa-8aaa-111111111111/subagents/agent-aa11.jsonl",
      "-work-demo/11111111-aaaa-4aaa-8aaa-111111111111.jsonl",
    ],
    ["-work-demo/22222222-bbbb-4bbb-8bbb-222222222222.jsonl"],
  ]);
});

test("what is not printed or recorded is not measured", async () => {
  const tools = { ...order.tools, countsTokens: false, measuresTexts: false };
  const lean = { ...order, tools, listsCalls: false, makesRecords: false };
  const estimators = new ClientEstimators();
  const { report } = await readGroup(lean, estimators);
  const measured = await readGroup(
    { ...lean, tools: { ...tools, measuresTexts: true } },
    estimators,
  );
  expect(report).toEqual(measured.report);
  expect(report.mcp_calls).toBeGreaterThan(0);
});

test("results keep the order of their items, whichever lane is the first to end", async () => {
  const thread = new LogThread(new ClientEstimators());
  const lanes = new Set<boolean>();
  const items = Array.from({ length: 40 }, (_, index) => index);
  const results = await runInLanes(items, thread, async (item, laneThread) => {
    lanes.add(laneThread !== undefined);
    await Bun.sleep(laneThread ? 3 : 1);
    return [item, item];
  });
  thread.stop();
  expect(results).toEqual(items.map((item) => [item, item]));
  expect(lanes.size).toBe(2);
  expect(await runInLanes([1, 2], undefined, async (item) => item * 2)).toEqual([2, 4]);
});
