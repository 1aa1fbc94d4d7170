import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { importers } from "#history/importers/index.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import type { LogFile } from "#state/storage/logs/find-logs.ts";
import { type LogCache, readIdentity } from "#state/storage/logs/log-cache.ts";
import { readWholeLog, type WholeOutcome } from "#state/storage/logs/read-log.ts";
import { ClientEstimators, type LogToolOptions, makeLogTools } from "./log-tools.ts";

type LogOrder = {
  readonly client: ImporterId;
  readonly log: LogFile;
  readonly options: LogToolOptions;
  readonly isDigested: boolean;
};

async function readOrder(order: LogOrder, estimators: ClientEstimators): Promise<WholeOutcome> {
  const { client, log, options, isDigested } = order;
  const tools = makeLogTools(estimators.open(client), options);
  return readWholeLog(importers[client], log, tools, isDigested);
}

// In the second thread. Answers come in the order of the messages.
if (!Bun.isMainThread) {
  const estimators = new ClientEstimators();
  let last: Promise<void> = Promise.resolve();
  addEventListener("message", ({ data }: MessageEvent<LogOrder>) => {
    last = last.then(async () => postMessage(await readOrder(data, estimators)));
  });
}

// A thread takes 50 ms and 40 MB to start: fewer bytes are read sooner by one.
const threadBytesMin = 32 * 1024 * 1024;

// So that the thread never waits for the main one to send the next file.
export const threadLanes = 3;

export function deservesThread(files: readonly LogFile[], cache: LogCache | undefined): boolean {
  if (availableParallelism() < 2) return false;
  const lines = files.filter(({ form }) => form === "lines").map(({ file }) => file);
  if (sumBytes(lines) < threadBytesMin) return false;
  const isUnread = (file: string): boolean => cache?.read(file)?.identity !== readIdentity(file);
  return !cache || sumBytes(lines.filter(isUnread)) >= threadBytesMin;
}

function sumBytes(files: readonly string[]): number {
  return files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

type Waiting = {
  readonly order: LogOrder;
  readonly resolve: (outcome: WholeOutcome) => void;
};

// A second thread that reads logs. If it fails, the main thread reads them.
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
    this.#worker.addEventListener("message", ({ data }: { readonly data: WholeOutcome }) =>
      this.#waiting.shift()?.resolve(data),
    );
    this.#worker.addEventListener("error", () => void this.#readHere());
    this.#worker.addEventListener("close", () => void this.#readHere());
  }

  async read(client: ImporterId, log: LogFile, isDigested: boolean): Promise<WholeOutcome> {
    const order = { client, log, options: this.#options, isDigested };
    if (this.#hasFailed) return readOrder(order, this.#estimators);
    const { promise, resolve } = Promise.withResolvers<WholeOutcome>();
    this.#waiting.push({ order, resolve });
    this.#worker.postMessage(order, []);
    return promise;
  }

  stop(): void {
    this.#worker.terminate();
  }

  async #readHere(): Promise<void> {
    this.#hasFailed = true;
    for (const { order, resolve } of this.#waiting.splice(0)) {
      resolve(await readOrder(order, this.#estimators));
    }
  }
}

function resolveThreadUrl(): URL {
  const isBundled = import.meta.url.includes("/$bunfs/");
  const path = isBundled ? "./commands/import/log-thread.js" : "./log-thread.ts";
  return new URL(path, import.meta.url);
}
