import { LineSplitter, type Line } from "#wire/line.ts";
import type { Outbox } from "./outbox.ts";
import type { Turns } from "./turns.ts";

/** What hears the lines of one direction. Never throws, never waits. */
export type LineObserver = (line: Line) => void;

/** One direction of the pipe. */
export type Lane = {
  /** Takes a chunk; the promise, if any, is the back-pressure. */
  push(chunk: Uint8Array): Promise<void> | undefined;
  /** The stream has ended; what is left goes out, the pipe stays open. */
  end(): Promise<void> | undefined;
};

/** Lines looked at between two looks at the clock. */
const linesPerLook = 32;

/** Forwards every chunk as it comes and only then looks at the lines in it. */
export function openLane(outbox: Outbox, turns: Turns, observe: LineObserver): Lane {
  const splitter = new LineSplitter();
  return {
    push(chunk) {
      const taken = outbox.write(chunk);
      const lines = splitter.push(chunk);
      if (lines.length > linesPerLook) return observeMany(lines, turns, observe, taken);
      for (const line of lines) observe(line);
      return taken;
    },
    end() {
      const last = splitter.end();
      if (last) observe(last);
      return undefined;
    },
  };
}

async function observeMany(
  lines: readonly Line[],
  turns: Turns,
  observe: LineObserver,
  taken: Promise<void> | undefined,
): Promise<void> {
  for (const [index, line] of lines.entries()) {
    observe(line);
    if (index % linesPerLook === 0 && turns.isOver) await turns.next();
  }
  await taken;
}
