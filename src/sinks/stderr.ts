import type { Writer } from "#io.ts";
import { recordLine, type Sink } from "./sink.ts";

/** Writes records to stderr, between the lines that the server writes there. */
export function stderrSink(stderr: Writer): Sink {
  return {
    take: (record) => stderr.write(recordLine(record)),
    ready: () => undefined,
    save: () => undefined,
    flush: () => Promise.resolve(),
    dropped: 0,
    path: undefined,
  };
}
