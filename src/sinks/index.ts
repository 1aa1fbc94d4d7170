import type { Writer } from "#io.ts";
import { FileSink, type OpenRecordFile } from "./file.ts";
import { offSink } from "./off.ts";
import type { Sink } from "./sink.ts";
import { stderrSink } from "./stderr.ts";

export type { Sink } from "./sink.ts";

/** What sinks are made of. */
export type SinkDeps = {
  readonly stderr: Writer;
  /** Where records go for a named file, or for undefined: a new file per session. */
  readonly recordFile: (log: string | undefined) => OpenRecordFile;
};

/** Every place records can go, by the value of `--log`; any other value is a file. */
const sinks: { readonly [log: string]: (deps: SinkDeps) => Sink } = {
  "-": ({ stderr }) => stderrSink(stderr),
  off: () => offSink(),
};

/** The sink for a value of `--log`; undefined is the default, a new file per session. */
export function createSink(log: string | undefined, deps: SinkDeps): Sink {
  const named = log !== undefined && Object.hasOwn(sinks, log) ? sinks[log] : undefined;
  return named ? named(deps) : new FileSink(deps.recordFile(log));
}
