import { isProvisionalEnd } from "#records/ledger.ts";
import type { LenientWriter } from "#kit/io.ts";
import { RecordQueue, formatRecordLine, type OpenRecordFile, type Sink } from "./record-queue.ts";

type SinkDeps = {
  readonly stderr: LenientWriter;
  readonly recordFile: () => OpenRecordFile;
};

const offSink: Sink = {
  take: () => undefined,
  ready: () => undefined,
  save: () => undefined,
  flush: () => Promise.resolve(),
  dropped: 0,
  waiting: 0,
  path: undefined,
};

export function createSink(log: string | undefined, { stderr, recordFile }: SinkDeps): Sink {
  if (log === "-") return createStderrSink(stderr);
  return log === "off" ? offSink : new RecordQueue(recordFile());
}

export function createStderrSink(stderr: Pick<LenientWriter, "write" | "flush">): Sink {
  let dropped = 0;
  let waiting = 0;
  return {
    take: (record) => {
      const records = isProvisionalEnd(record) ? 0 : 1;
      waiting += records;
      stderr.write(formatRecordLine(record), (isWritten) => {
        waiting -= records;
        if (!isWritten) dropped += records;
      });
    },
    ready: () => undefined,
    save: () => undefined,
    flush: () => {
      stderr.flush();
      return Promise.resolve();
    },
    get dropped() {
      return dropped;
    },
    get waiting() {
      return waiting;
    },
    path: undefined,
  };
}
