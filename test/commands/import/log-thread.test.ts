import { expect, test } from "bun:test";
import { join } from "node:path";
import { LogThread, runInLanes, mergeGroup } from "#commands/import/log-thread.ts";
import { ClientEstimators, makeLogTools } from "#commands/import/log-tools.ts";
import { claudeCode } from "#history/importers/claude-code.ts";
import { findLogs } from "#state/storage/logs/find-logs.ts";
import { readWholeLog } from "#state/storage/logs/read-log.ts";
import { always, logsFolder } from "../../support/logs.ts";

const home = { folder: join(logsFolder, "claude-code"), env: {}, platform: "linux" };

const { files } = findLogs(claudeCode.findFolders(home));

const options = { countsTokens: true, key: "k", namesProjects: false, keepsEntries: false };

const readHere = () => {
  const tools = makeLogTools(new ClientEstimators().open("claude-code"), options);
  return Promise.all(files.map((log) => readWholeLog(claudeCode, log, tools, true)));
};

const readThere = (thread: LogThread) =>
  Promise.all(files.map((log) => thread.read("claude-code", log, true)));

test("the thread reads and merges what this one would, and a missing file has its fault", async () => {
  const thread = new LogThread(options, new ClientEstimators());
  const read = await readThere(thread);
  expect(read).toEqual(await readHere());
  const logs = read.flatMap((outcome) => ("fault" in outcome ? [] : [outcome.packed]));
  expect(logs.length).toBe(files.length);
  const facts = { range: always, listsCalls: true, records: { countsTokens: true } };
  const order = { client: "claude-code", logs, servers: ["docs"], ...facts } as const;
  const merged = await thread.merge(order);
  expect(merged).toEqual(mergeGroup(order, new ClientEstimators()));
  expect(merged.conversations.length).toBeGreaterThan(1);
  const missing = { file: "/nowhere.jsonl", path: "nowhere.jsonl", form: "lines" } as const;
  expect(await thread.read("claude-code", missing, false)).toEqual({ fault: "ENOENT" });
  thread.stop();
});

test("the work of a thread that ends is done here", async () => {
  const thread = new LogThread(options, new ClientEstimators());
  const begun = readThere(thread);
  thread.stop();
  expect(await begun).toEqual(await readHere());
  expect(await readThere(thread)).toEqual(await readHere());
});

test("results keep the order of their items, whichever lane is the first to end", async () => {
  const thread = new LogThread(options, new ClientEstimators());
  const lanes = new Set<boolean>();
  const items = Array.from({ length: 40 }, (_, index) => index);
  const results = await runInLanes(items, thread, async (item, index, laneThread) => {
    lanes.add(laneThread !== undefined);
    await Bun.sleep(laneThread ? 3 : 1);
    return [item, index];
  });
  thread.stop();
  expect(results).toEqual(items.map((item) => [item, item]));
  expect(lanes.size).toBe(2);
  expect(await runInLanes([1, 2], undefined, async (item) => item * 2)).toEqual([2, 4]);
});
