import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { importers } from "#history/importers/index.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import type { LogFile } from "#state/storage/logs/find-logs.ts";
import {
  type LogCache,
  readIdentity,
  type PackedLog,
  unpackLog,
} from "#state/storage/logs/log-cache.ts";
import { readWholeLog, type WholeOutcome } from "#state/storage/logs/read-log.ts";
import { ClientEstimators, type LogToolOptions, makeLogTools } from "./log-tools.ts";
import {
  makeConversationRecords,
  type RecordTools,
} from "#history/imports/conversation-records.ts";
import { type ClientReport, reportClient } from "#history/imports/import-report.ts";
import { mergeLogs, type MergedLogs } from "#history/imports/merge-logs.ts";
import type { TimeRange } from "#history/reports/calendar.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import { type PackedConversation, packRecords } from "#state/storage/logs/write-imports.ts";

type ReadOrder = {
  readonly kind: "read";
  readonly client: ImporterId;
  readonly log: LogFile;
  readonly options: LogToolOptions;
  readonly isDigested: boolean;
};

type Order = ReadOrder | (GroupOrder & { readonly kind: "merge" });

type Answer = { readonly read: WholeOutcome } | { readonly merged: MergedGroup };

async function answer(order: Order, estimators: ClientEstimators): Promise<Answer> {
  if (order.kind === "merge") return { merged: mergeGroup(order, estimators) };
  const { client, log, options, isDigested } = order;
  const tools = makeLogTools(estimators.open(client), options);
  return { read: await readWholeLog(importers[client], log, tools, isDigested) };
}

// In the second thread. Answers come in the order of the messages.
if (!Bun.isMainThread) {
  const estimators = new ClientEstimators();
  let last: Promise<void> = Promise.resolve();
  addEventListener("message", ({ data }: MessageEvent<Order>) => {
    last = last.then(async () => postMessage(await answer(data, estimators)));
  });
}

// A second thread compiles all code once more, and takes 40 MB: it pays only from these sizes on.
const threadBytesMin = { withTokens: 64 * 1024 * 1024, withoutTokens: 512 * 1024 * 1024 };

// So that the thread never waits for the main one to send the next order.
const threadLanes = 3;

export function deservesThread(
  files: readonly LogFile[],
  cache: LogCache | undefined,
  countsTokens: boolean,
): boolean {
  if (availableParallelism() < 2) return false;
  const bytesMin = countsTokens ? threadBytesMin.withTokens : threadBytesMin.withoutTokens;
  const lines = files.filter(({ form }) => form === "lines").map(({ file }) => file);
  if (sumBytes(lines) < bytesMin) return false;
  const isUnread = (file: string): boolean => cache?.read(file)?.identity !== readIdentity(file);
  return !cache || sumBytes(lines.filter(isUnread)) >= bytesMin;
}

function sumBytes(files: readonly string[]): number {
  return files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Runs a task for each item, in this thread and in the other one; results keep the order of the items. */
export async function runInLanes<Item, Result>(
  items: readonly Item[],
  thread: LogThread | undefined,
  run: (item: Item, index: number, thread: LogThread | undefined) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const runLane = async (laneThread: LogThread | undefined): Promise<void> => {
    for (const [index, item] of remaining) {
      results[index] = await run(item, index, laneThread);
      // Lets answers of the thread in.
      if (thread && !laneThread) await Bun.sleep(0);
    }
  };
  const lanes = thread ? Array.from({ length: threadLanes }, () => runLane(thread)) : [];
  await Promise.all([...lanes, runLane(undefined)]);
  return results;
}

type Waiting = {
  readonly order: Order;
  readonly resolve: (answered: Answer) => void;
};

// A second thread for logs. If it fails, the main thread does its work.
export class LogThread {
  readonly #options: LogToolOptions;
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #estimators: ClientEstimators;
  #hasFailed = false;

  constructor(options: LogToolOptions, estimators: ClientEstimators) {
    this.#options = options;
    this.#estimators = estimators;
    this.#worker = new Worker(resolveThreadUrl());
    this.#worker.addEventListener("message", ({ data }: { readonly data: Answer }) =>
      this.#waiting.shift()?.resolve(data),
    );
    this.#worker.addEventListener("error", () => void this.#answerHere());
    this.#worker.addEventListener("close", () => void this.#answerHere());
  }

  async read(client: ImporterId, log: LogFile, isDigested: boolean): Promise<WholeOutcome> {
    const options = this.#options;
    const answered = await this.#ask({ kind: "read", client, log, options, isDigested });
    return "read" in answered ? answered.read : { fault: "EIO" };
  }

  async merge(order: GroupOrder): Promise<MergedGroup> {
    // Cloning a part of a buffer would clone the whole buffer.
    const logs = order.logs.map((log) => ({ ...log, events: new Uint8Array(log.events) }));
    const answered = await this.#ask({ ...order, logs, kind: "merge" });
    return "merged" in answered ? answered.merged : mergeGroup(order, this.#estimators);
  }

  stop(): void {
    this.#worker.terminate();
  }

  #ask(order: Order): Promise<Answer> {
    if (this.#hasFailed) return answer(order, this.#estimators);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.push({ order, resolve });
    this.#worker.postMessage(order, []);
    return promise;
  }

  async #answerHere(): Promise<void> {
    this.#hasFailed = true;
    for (const { order, resolve } of this.#waiting.splice(0)) {
      resolve(await answer(order, this.#estimators));
    }
  }
}

function resolveThreadUrl(): URL {
  const isBundled = import.meta.url.includes("/$bunfs/");
  const path = isBundled ? "./commands/import/log-thread.js" : "./log-thread.ts";
  return new URL(path, import.meta.url);
}

// Logs of one client that share events.
export type GroupOrder = {
  readonly client: ImporterId;
  readonly logs: readonly PackedLog[];
  readonly servers: readonly string[];
  readonly range: TimeRange;
  readonly listsCalls: boolean;
  // Undefined if no records are written.
  readonly records: { readonly countsTokens: boolean } | undefined;
};

export type MergedGroup = {
  readonly report: ClientReport;
  readonly firstCallMs: number | null;
  readonly conversations: readonly PackedConversation[];
};

export function mergeGroup(order: GroupOrder, estimators: ClientEstimators): MergedGroup {
  const { client, servers, range, listsCalls, records } = order;
  const logs = mergeLogs(order.logs.map(unpackLog), servers);
  const tools = records && makeRecordTools(client, records.countsTokens, estimators);
  return {
    report: reportClient(client, logs, { range, knownServers: servers, listsCalls }),
    firstCallMs: findFirstCall(logs, range),
    conversations: tools
      ? Array.from(makeConversationRecords(client, logs, tools), packRecords)
      : [],
  };
}

// Calls are in the order of their times.
function findFirstCall({ calls }: MergedLogs, { fromMs, toMs }: TimeRange): number | null {
  return calls.find(({ at }) => at !== null && fromMs <= at && at < toMs)?.at ?? null;
}

function makeRecordTools(
  client: ImporterId,
  countsTokens: boolean,
  estimators: ClientEstimators,
): RecordTools {
  const clientEstimators = estimators.open(client);
  return {
    uuid: deriveUuid,
    sha256,
    findEstimation: (model) => clientEstimators.find(model),
    countTokens: (text, model) => (countsTokens ? clientEstimators.count(text, model) : null),
  };
}
