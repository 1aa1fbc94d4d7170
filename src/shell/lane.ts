import { LineSplitter, type Line } from "#wire/line.ts";
import type { Outbox } from "./outbox.ts";

/** What hears the lines of one direction. Never throws, never waits. */
export type LineObserver = (line: Line) => void;

/** One direction of the pipe. */
export type Lane = {
  /** Takes a chunk; the promise, if any, is the back-pressure. */
  push(chunk: Uint8Array): Promise<void> | undefined;
  /** The stream has ended; what is left goes out, the pipe stays open. */
  end(): Promise<void> | undefined;
};

/** Forwards every chunk as it comes and only then looks at the lines in it. */
export function openLane(outbox: Outbox, observe: LineObserver): Lane {
  const splitter = new LineSplitter();
  return {
    push(chunk) {
      const taken = outbox.write(chunk);
      for (const line of splitter.push(chunk)) observe(line);
      return taken;
    },
    end() {
      const last = splitter.end();
      if (last) observe(last);
      return undefined;
    },
  };
}
