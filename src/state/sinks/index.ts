import type { LenientWriter } from "#kit/io.ts";
import type { RecordDestination } from "./destinations.ts";
import { FileSink, type OpenRecordFile, type Sink } from "./file-sink.ts";
import { createOffSink } from "./off.ts";
import { createStderrSink } from "./stderr.ts";

export type { Sink } from "./file-sink.ts";

type SinkDeps = {
  readonly stderr: LenientWriter;
  readonly recordFile: () => OpenRecordFile;
};

const sinks = {
  "-": ({ stderr }: SinkDeps) => createStderrSink(stderr),
  off: createOffSink,
} satisfies { readonly [log in RecordDestination]: (deps: SinkDeps) => Sink };

export function createSink(log: string | undefined, deps: SinkDeps): Sink {
  return isDestination(log) ? sinks[log](deps) : new FileSink(deps.recordFile());
}

function isDestination(log: string | undefined): log is RecordDestination {
  return log !== undefined && Object.hasOwn(sinks, log);
}
