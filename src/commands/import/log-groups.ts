import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { importers } from "#history/importers/index.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import {
  makeConversationRecords,
  type RecordUtils,
} from "#history/imports/conversation-records.ts";
import { findTies, groupFiles } from "#history/imports/file-groups.ts";
import { reportClient } from "#history/imports/import-report.ts";
import { mergeLogs, type MergedLogs, type ReadLog } from "#history/imports/merge-logs.ts";
import type { TimeRange } from "#history/reports/time-range.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import type { FoundLogs, LogFile } from "#state/storage/logs/find-logs.ts";
import type { LogGroup } from "#state/storage/logs/group-cache.ts";
import { type LogUtils, readLog } from "#state/storage/logs/read-log.ts";
import { packRecords } from "#state/storage/logs/write-imports.ts";
import {
  EstimatorsByClient,
  type LogEstimators,
  type LogUtilOptions,
  makeLogUtils,
} from "./log-estimators.ts";

export type GroupTask = {
  readonly client: ImporterId;
  readonly servers: readonly string[];
  readonly range: TimeRange;
  readonly listsCalls: boolean;
  readonly makesRecords: boolean;
  readonly utilOptions: LogUtilOptions;
};

export type BatchTask = GroupTask & { readonly groups: readonly (readonly LogFile[])[] };

// A group that was read from its files, not from the cache.
export type ReadGroup = LogGroup & { readonly faults: FoundLogs["faults"] };

type UnmergedGroup = Pick<ReadGroup, "files" | "faults" | "ties"> & {
  readonly logs: readonly ReadLog[];
};

type AnyGroup = LogGroup | ReadGroup | UnmergedGroup;

type GroupReading = {
  readonly task: GroupTask;
  readonly estimators: EstimatorsByClient;
  readonly reportFaults: (faults: FoundLogs["faults"]) => void;
  readonly showProgress: (file: number, files: number) => void;
};

// Reads groups of files that probably belong together, then joins groups that may have common events.
export async function readGroups(
  files: readonly LogFile[],
  cached: readonly LogGroup[],
  reading: GroupReading,
): Promise<readonly (LogGroup | ReadGroup)[]> {
  const cachedFiles = new Set(cached.flatMap((group) => group.files));
  const unread = files.filter((file) => !cachedFiles.has(file));
  const fileGroups = [...Map.groupBy(unread, ({ group }) => group).values()];
  const areLarge = countBytes(unread) >= largeLogsBytesMin;
  const usesThread = areLarge && availableParallelism() >= 2;
  const thread = usesThread ? new LogThread(reading.estimators) : undefined;
  const freshGroups = areLarge
    ? await readInBatches(fileGroups, thread, reading)
    : await readUnmerged(fileGroups, reading);
  reading.reportFaults(freshGroups.flatMap(({ faults }) => faults));
  // Keeps the order of the files, whether or not their groups were cached.
  const indices = new Map(files.map((file, index) => [file, index]));
  const findIndex = ({ files: [first] }: AnyGroup): number => (first && indices.get(first)) ?? 0;
  const sort = <Group extends AnyGroup>(groups: readonly Group[]): readonly Group[] =>
    groups.toSorted((a, b) => findIndex(a) - findIndex(b));
  const { merged, unjoined } = mergeTied(sort([...cached, ...freshGroups]), reading);
  const joinedGroups = await readInBatches(unjoined, thread, reading);
  thread?.stop();
  return sort([...merged, ...joinedGroups]);
}

function countBytes(files: readonly LogFile[]): number {
  const sizes = files.map(({ file }) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

// `unjoined` has the files of tied groups whose logs are not all in memory: they must be read again.
function mergeTied(
  groups: readonly AnyGroup[],
  { task, estimators }: GroupReading,
): {
  readonly merged: readonly (LogGroup | ReadGroup)[];
  readonly unjoined: readonly (readonly LogFile[])[];
} {
  const merged: (LogGroup | ReadGroup)[] = [];
  const unjoined: (readonly LogFile[])[] = [];
  for (const tied of groupFiles(groups)) {
    const [first] = tied;
    if (tied.every((group) => "logs" in group)) merged.push(mergeGroup(task, tied, estimators));
    else if (first && tied.length === 1 && !("logs" in first)) merged.push(first);
    else unjoined.push(tied.flatMap(({ files }) => files));
  }
  return { merged, unjoined };
}

// Limits events, not bytes: a small compressed file may have many events.
const keptEventsMax = 200_000;

async function readUnmerged(
  fileGroups: readonly (readonly LogFile[])[],
  { task, estimators, showProgress }: GroupReading,
): Promise<readonly (UnmergedGroup | ReadGroup)[]> {
  const fileCount = fileGroups.flat().length;
  const groups: (UnmergedGroup | ReadGroup)[] = [];
  let filesRead = 0;
  let eventsKept = 0;
  for (const files of fileGroups) {
    filesRead += files.length;
    showProgress(filesRead, fileCount);
    const group = await readLogs({ ...task, files }, estimators);
    const events = group.logs.reduce((sum, log) => sum + log.events.length, 0);
    const isKept = eventsKept + events <= keptEventsMax;
    if (isKept) eventsKept += events;
    groups.push(isKept ? group : mergeGroup(task, [group], estimators));
  }
  return groups;
}

async function readInBatches(
  groups: readonly (readonly LogFile[])[],
  thread: LogThread | undefined,
  { task, estimators, showProgress }: GroupReading,
): Promise<readonly ReadGroup[]> {
  const fileCount = groups.flat().length;
  let filesRead = 0;
  const batches = await runInBothThreads(makeBatches(groups), thread, (batch, usedThread) => {
    filesRead += batch.flat().length;
    showProgress(filesRead, fileCount);
    const batchTask = { ...task, groups: batch };
    return usedThread ? usedThread.read(batchTask) : readBatch(batchTask, estimators);
  });
  return batches.flat();
}

// Sending a message to the thread takes as long as reading a small file. So several groups share one message.
const batchGroupsMax = 32;

// Enough that both threads finish at nearly the same time.
const batchesWanted = 32;

function makeBatches<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const length = Math.min(batchGroupsMax, Math.ceil(items.length / batchesWanted));
  return Array.from({ length: Math.ceil(items.length / length) || 0 }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}

export async function readBatch(
  { groups, ...task }: BatchTask,
  estimators: EstimatorsByClient,
): Promise<readonly ReadGroup[]> {
  const read: ReadGroup[] = [];
  for (const files of groups) {
    const part = await readLogs({ ...task, files }, estimators);
    read.push(mergeGroup(task, [part], estimators));
  }
  return read;
}

type FilesTask = GroupTask & { readonly files: readonly LogFile[] };

async function readLogs(task: FilesTask, estimators: EstimatorsByClient): Promise<UnmergedGroup> {
  const { client, files } = task;
  const utils = makeLogUtils(estimators.open(client), task.utilOptions);
  const logs: ReadLog[] = [];
  const faults: { path: string; fault: string }[] = [];
  for (const log of files) {
    const outcome = await readLog(log, importers[client], utils);
    if ("fault" in outcome) faults.push({ path: log.file, fault: outcome.fault });
    else logs.push(outcome);
  }
  return { files, faults, ties: findTies(logs.flatMap(({ events }) => events)), logs };
}

function mergeGroup(
  task: GroupTask,
  groups: readonly UnmergedGroup[],
  estimators: EstimatorsByClient,
): ReadGroup {
  const { client, servers, range, listsCalls } = task;
  const clientEstimators = estimators.open(client);
  const [first] = groups;
  const logs = groups.flatMap((group) => group.logs);
  const merged = mergeLogs(logs, servers);
  const utils = makeRecordUtils(makeLogUtils(clientEstimators, task.utilOptions), clientEstimators);
  const records = task.makesRecords ? makeConversationRecords(client, merged, utils) : [];
  return {
    files: groups.flatMap(({ files }) => files),
    faults: groups.flatMap(({ faults }) => faults),
    ties:
      first && groups.length === 1 ? first.ties : findTies(logs.flatMap(({ events }) => events)),
    report: reportClient(client, merged, { range, knownServers: servers, listsCalls }),
    firstCallMs: findFirstCallMs(merged, range),
    conversations: Array.from(records, packRecords),
  };
}

function findFirstCallMs({ calls }: MergedLogs, { fromMs, toMs }: TimeRange): number | null {
  let firstMs: number | null = null;
  for (const { at } of calls) {
    const isInRange = at !== null && fromMs <= at && at < toMs;
    if (isInRange && at < (firstMs ?? Infinity)) firstMs = at;
  }
  return firstMs;
}

function makeRecordUtils(utils: LogUtils, estimators: LogEstimators): RecordUtils {
  return {
    uuid: deriveUuid,
    sha256,
    findEstimation: (model) => estimators.find(model),
    countTokens: utils.countTokens,
  };
}

// Runs in the second thread, which answers tasks in the order of their arrival.
if (!Bun.isMainThread) {
  const estimators = new EstimatorsByClient();
  let last: Promise<void> = Promise.resolve();
  addEventListener("message", ({ data }: MessageEvent<BatchTask>) => {
    last = last.then(async () => postMessage(await readBatch(data, estimators)));
  });
}

// A second thread takes 40 MB. It compiles all code again, so smaller logs are read faster without it.
const largeLogsBytesMin = 64 * 1024 * 1024;

// With this many tasks at once, the thread rarely waits for the main thread to send the next task.
const threadTasksMax = 3;

export async function runInBothThreads<Item, Result>(
  items: readonly Item[],
  thread: LogThread | undefined,
  run: (item: Item, thread: LogThread | undefined) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const runTasks = async (usedThread: LogThread | undefined): Promise<void> => {
    for (const [index, item] of remaining) {
      results[index] = await run(item, usedThread);
      // Lets the answers of the thread arrive.
      if (thread && !usedThread) await Bun.sleep(0);
    }
  };
  const runs = thread ? Array.from({ length: threadTasksMax }, () => runTasks(thread)) : [];
  await Promise.all([...runs, runTasks(undefined)]);
  return results;
}

type PendingTask = {
  readonly task: BatchTask;
  readonly resolve: (groups: readonly ReadGroup[]) => void;
};

export class LogThread {
  readonly #worker: Worker;
  readonly #pending: PendingTask[] = [];
  readonly #estimators: EstimatorsByClient;
  #hasFailed = false;

  constructor(estimators: EstimatorsByClient) {
    this.#estimators = estimators;
    this.#worker = new Worker(resolveThreadUrl());
    this.#worker.addEventListener(
      "message",
      ({ data }: { readonly data: readonly ReadGroup[] }) => {
        const { task, resolve } = this.#pending.shift() ?? {};
        // A message contains copies, but files are compared by identity.
        resolve?.(data.map((group, index) => ({ ...group, files: task?.groups[index] ?? [] })));
      },
    );
    this.#worker.addEventListener("error", () => void this.#readHere());
    this.#worker.addEventListener("close", () => void this.#readHere());
  }

  read(task: BatchTask): Promise<readonly ReadGroup[]> {
    if (this.#hasFailed) return readBatch(task, this.#estimators);
    const { promise, resolve } = Promise.withResolvers<readonly ReadGroup[]>();
    this.#pending.push({ task, resolve });
    this.#worker.postMessage(task, []);
    return promise;
  }

  stop(): void {
    this.#worker.terminate();
  }

  async #readHere(): Promise<void> {
    this.#hasFailed = true;
    for (const { task, resolve } of this.#pending.splice(0)) {
      resolve(await readBatch(task, this.#estimators));
    }
  }
}

function resolveThreadUrl(): URL {
  const isBundled = import.meta.url.includes("/$bunfs/");
  const path = isBundled ? "./commands/import/log-groups.js" : "./log-groups.ts";
  return new URL(path, import.meta.url);
}
