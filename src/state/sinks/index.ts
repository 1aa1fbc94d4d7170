import type { LenientWriter } from "#kit/io.ts";
import { FileSink, type OpenRecordFile, type Sink } from "./file-sink.ts";
import { createStderrSink } from "./stderr.ts";

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
  return log === "off" ? offSink : new FileSink(recordFile());
}
