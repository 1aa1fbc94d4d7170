import type { LenientWriter } from "#io.ts";
import type { RecordPlace } from "./destinations.ts";
import { FileSink, type OpenRecordFile } from "./file.ts";
import { offSink } from "./off.ts";
import type { Sink } from "./sink.ts";
import { stderrSink } from "./stderr.ts";

export type { Sink } from "./sink.ts";

/** Everything that a sink may need. */
export type SinkDeps = {
  readonly stderr: LenientWriter;
  /** Opens the file of this session's records. */
  readonly recordFile: () => OpenRecordFile;
};

/** Every place that records can go to, by the value of `--log`. Any other value names a file. */
const sinks = {
  "-": ({ stderr }: SinkDeps) => stderrSink(stderr),
  off: () => offSink(),
} satisfies { readonly [log in RecordPlace]: (deps: SinkDeps) => Sink };

/** The sink for a value of `--log`; without one, records go to a new file per session. */
export function createSink(log: string | undefined, deps: SinkDeps): Sink {
  return isPlace(log) ? sinks[log](deps) : new FileSink(deps.recordFile());
}

function isPlace(log: string | undefined): log is RecordPlace {
  return log !== undefined && Object.hasOwn(sinks, log);
}
