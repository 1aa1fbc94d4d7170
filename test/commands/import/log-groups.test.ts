import { expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import {
  type BatchTask,
  LogThread,
  readBatch,
  readGroups,
  runInBothThreads,
} from "#commands/import/log-groups.ts";
import { EstimatorsByClient } from "#commands/import/log-estimators.ts";
import { claudeCode } from "#history/importers/claude-code.ts";
import { findLogs, type LogFile } from "#state/storage/logs/find-logs.ts";
import type { LogGroup } from "#state/storage/logs/group-cache.ts";
import { Folder } from "../../support/folder.ts";
import { always, logsFolder } from "../../support/logs.ts";

const home = { folder: join(logsFolder, "claude-code"), env: {}, platform: "linux" };

const { files } = findLogs(claudeCode.findFolders(home));

const task: BatchTask = {
  client: "claude-code",
  groups: [files.slice(0, 1), files.slice(1)],
  servers: ["docs"],
  range: always,
  listsCalls: true,
  makesRecords: true,
  utilOptions: {
    countsTokens: true,
    measuresTexts: true,
    key: "k",
    namesProjects: false,
    keepsEntries: false,
  },
};

test("the thread reads and merges what this one would, and a missing file has its fault", async () => {
  const thread = new LogThread(new EstimatorsByClient());
  const groups = await thread.read(task);
  expect(groups).toEqual(await readBatch(task, new EstimatorsByClient()));
  expect(groups.flatMap((group) => group.conversations).length).toBeGreaterThan(1);
  expect(groups.flatMap((group) => group.files).every((file) => files.includes(file))).toBe(true);
  const missing = {
    file: "/nowhere.jsonl",
    path: "nowhere.jsonl",
    form: "lines",
    group: "",
  } as const;
  const [cut] = await thread.read({ ...task, groups: [[...files.slice(0, 1), missing]] });
  expect(cut?.faults).toEqual([{ path: "/nowhere.jsonl", fault: "ENOENT" }]);
  expect(cut?.report).toEqual(groups[0]?.report ?? cut?.report);
  thread.stop();
});

test("the work of a thread that ends is done here", async () => {
  const thread = new LogThread(new EstimatorsByClient());
  const begun = Promise.all([thread.read(task), thread.read(task)]);
  thread.stop();
  const groups = await readBatch(task, new EstimatorsByClient());
  expect(await begun).toEqual([groups, groups]);
  expect(await thread.read(task)).toEqual(groups);
});

test.each([1, 2, 33, 2_000])("%d files are read once each, in their order", async (count) => {
  const many = Array.from({ length: count }, (_, index) => ({
    file: `/nowhere/${index}`,
    path: `${index}`,
    form: "lines" as const,
    group: `${index}`,
  }));
  const shown: number[] = [];
  const groups = await readGroups(many, [], {
    task,
    estimators: new EstimatorsByClient(),
    reportFaults: (faults) => expect(faults).toHaveLength(count),
    showProgress: (file) => void shown.push(file),
  });
  expect(groups.map((group) => group.files)).toEqual(many.map((file) => [file]));
  expect(shown.at(-1)).toBe(count);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
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

test("groups with common events are joined, in memory, from the cache and among large logs", async () => {
  const reading = {
    task,
    estimators: new EstimatorsByClient(),
    reportFaults: () => {},
    showProgress: () => {},
  };
  const readSorted = async (read: readonly LogFile[], cached: readonly LogGroup[]) => {
    const groups = await readGroups(read, cached, reading);
    return groups.map(({ ties: { ids, ...ties }, ...group }) => ({
      ...group,
      ties: { ...ties, ids: ids.toSorted() },
    }));
  };
  const [joined, ...others] = await readSorted(files, []);
  expect(others).toEqual([]);
  expect(joined?.files).toEqual(files);
  expect(joined?.report.files_read).toBe(3);

  const first = await readBatch({ ...task, groups: [files.slice(0, 2)] }, reading.estimators);
  expect(await readSorted(files, first)).toEqual(joined ? [joined] : []);

  using folder = new Folder();
  const file = folder.file("large.jsonl", "");
  truncateSync(file, 64 * 1024 * 1024);
  const large = { file, path: "large.jsonl", form: "lines", group: "large" } as const;
  const [amongLarge, alone] = await readSorted([...files, large], []);
  expect(amongLarge).toEqual(joined);
  expect(alone?.report.files_read).toBe(1);
});

test("a small compressed log with many events is joined as any other (slow)", async () => {
  using folder = new Folder();
  const id = "33333333-cccc-4ccc-8ccc-333333333333";
  const lines = Array.from({ length: 200_001 }, (_, at) =>
    JSON.stringify({
      type: "assistant",
      uuid: `u${at}`,
      sessionId: id,
      timestamp: "2026-03-14T10:00:00.000Z",
      message: {
        id: `m${at}`,
        model: "claude-opus-5",
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
  );
  const write = (name: string, text: string) => ({
    file: folder.file(`${name}.jsonl.zst`, Bun.zstdCompressSync(text)),
    path: `${name}.jsonl`,
    form: "lines" as const,
    group: name,
  });
  const many = [write("a", lines.join("\n")), write("b", `${lines[0]}\n`), write("c", "{}\n")];
  const groups = await readGroups(many, [], {
    task: { ...task, listsCalls: false, makesRecords: false },
    estimators: new EstimatorsByClient(),
    reportFaults: () => {},
    showProgress: () => {},
  });
  expect(groups.map(({ files: joined }) => joined)).toEqual([many.slice(0, 2), many.slice(2)]);
}, 60_000);

test("what is not printed or recorded is not measured", async () => {
  const utilOptions = { ...task.utilOptions, countsTokens: false, measuresTexts: false };
  const lean = { ...task, utilOptions, listsCalls: false, makesRecords: false };
  const estimators = new EstimatorsByClient();
  const readReports = async (measuresTexts: boolean) => {
    const read = await readBatch(
      { ...lean, utilOptions: { ...utilOptions, measuresTexts } },
      estimators,
    );
    return read.map(({ report }) => report);
  };
  const reports = await readReports(false);
  expect(reports).toEqual(await readReports(true));
  expect(reports.some((report) => report.mcp_calls > 0)).toBe(true);
});

test("results keep the order of their items, whichever lane is the first to end", async () => {
  const thread = new LogThread(new EstimatorsByClient());
  const lanes = new Set<boolean>();
  const items = Array.from({ length: 40 }, (_, index) => index);
  const results = await runInBothThreads(items, thread, async (item, usedThread) => {
    lanes.add(usedThread !== undefined);
    await Bun.sleep(usedThread ? 3 : 1);
    return [item, item];
  });
  thread.stop();
  expect(results).toEqual(items.map((item) => [item, item]));
  expect(lanes.size).toBe(2);
  expect(await runInBothThreads([1, 2], undefined, async (item) => item * 2)).toEqual([2, 4]);
});
