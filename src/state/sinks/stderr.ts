import type { LenientWriter } from "#kit/io.ts";
import { isReplaceable, formatRecordLine, type Sink } from "./file-sink.ts";

export function createStderrSink(stderr: Pick<LenientWriter, "write" | "flush">): Sink {
  let dropped = 0;
  let waiting = 0;
  return {
    take: (record) => {
      const records = isReplaceable(record) ? 0 : 1;
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
