import type { LenientWriter } from "#io.ts";
import { FileSink, type OpenRecordFile } from "./file.ts";
import { offSink } from "./off.ts";
import type { Sink } from "./sink.ts";
import { stderrSink } from "./stderr.ts";

export type { Sink } from "./sink.ts";

/** Everything that a sink may need. */
export type SinkDeps = {
  readonly stderr: LenientWriter;
  /** Opens the file that `--log` names; a new file for this session when it names none. */
  readonly recordFile: (log: string | undefined) => OpenRecordFile;
};

/** Every place that records can go to, by the value of `--log`. Any other value names a file. */
const sinks: { readonly [log: string]: (deps: SinkDeps) => Sink } = {
  "-": ({ stderr }) => stderrSink(stderr),
  off: () => offSink(),
};

/** The sink for a value of `--log`; without one, records go to a new file per session. */
export function createSink(log: string | undefined, deps: SinkDeps): Sink {
  const named = log !== undefined && Object.hasOwn(sinks, log) ? sinks[log] : undefined;
  return named ? named(deps) : new FileSink(deps.recordFile(log));
}
