import type { Sink } from "./file-sink.ts";

export function createOffSink(): Sink {
  return {
    take: () => undefined,
    ready: () => undefined,
    save: () => undefined,
    flush: () => Promise.resolve(),
    dropped: 0,
    waiting: 0,
    path: undefined,
  };
}
