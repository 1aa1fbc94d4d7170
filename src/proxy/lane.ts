import { lineObservedBytesMax } from "#limits.ts";
import { newline } from "#wire/ascii.ts";
import { joinBytes } from "#wire/bytes.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import type { Outbox } from "./outbox.ts";
import type { OverflowFile } from "./overflow-file.ts";
import type { LineScheduler } from "./line-scheduler.ts";

/** What becomes of a line: true passes it as it is, false keeps it, lines of ours go instead of it. */
export type Passing = boolean | readonly Uint8Array[];

/** Judges the lines of one direction. Never throws, never waits. */
export type Judge = {
  /** A line that `hasPassed` can only be counted: what is answered is not heard. */
  line(line: Line, hasPassed: boolean): Passing;
  /** True when lines must be judged before they pass. */
  holds(): boolean;
  /** So many lines have gone where they go: time for what can wait. */
  passed(lines: number): void;
};

/** A line and what becomes of it. */
type Judged = { readonly line: Line; readonly passing: Passing; readonly passedBytes: number };

/** Lines looked at between two looks at the clock. */
const linesPerLook = 32;

/**
 * One direction of the pipe. Open, it forwards every chunk as it comes and only then looks at the lines in
 * it; while something must be held it forwards line by line, what passes. It opens only between two lines;
 * of a line that has begun to pass it holds the rest.
 */
export class Lane {
  readonly #outbox: Outbox;
  readonly #scheduler: LineScheduler;
  readonly #judge: Judge;
  readonly #overflow: OverflowFile;
  readonly #splitter: LineSplitter;
  #isHolding = false;
  /** Bytes of the unfinished line that have passed. */
  #passedBytes = 0;

  constructor(outbox: Outbox, scheduler: LineScheduler, judge: Judge, overflow: OverflowFile) {
    this.#outbox = outbox;
    this.#scheduler = scheduler;
    this.#judge = judge;
    this.#overflow = overflow;
    // Bytes of an open line have passed already; only a held line must be found again.
    const append = (part: Uint8Array): void => {
      if (this.#isHolding) overflow.append(part);
    };
    this.#splitter = new LineSplitter(lineObservedBytesMax, { append });
  }

  /** Takes a chunk; the promise, if any, is the back-pressure. */
  push(chunk: Uint8Array): Promise<void> | undefined {
    // Who answers before it was asked must not slip under what was asked meanwhile.
    if (this.#splitter.atBoundary || !this.#isHolding) this.#isHolding = this.#judge.holds();
    return this.#isHolding
      ? this.#pushHeld(this.#splitter.push(chunk))
      : this.#pushOpen(chunk, this.#splitter.push(chunk));
  }

  /** The stream has ended; what is left goes out, the pipe stays open. */
  end(): Promise<void> | undefined {
    const last = this.#splitter.end();
    if (!last) return undefined;
    if (this.#isHolding) return this.#pushHeld([last]);
    if (this.#scheduler.isBusy) return this.#scheduler.defer(() => this.#lookAtMany([last]));
    this.#judge.line(last, true);
    return undefined;
  }

  #pushOpen(chunk: Uint8Array, lines: readonly Line[]): Promise<void> | undefined {
    const taken = this.#outbox.write(chunk);
    const end = chunk.lastIndexOf(newline) + 1;
    this.#passedBytes = chunk.length - end + (end === 0 ? this.#passedBytes : 0);
    if (this.#isLong(lines)) {
      const looked = this.#scheduler.defer(() => this.#lookAtMany(lines), chunk.length);
      // A burst passes at once and is looked at meanwhile; only a flood waits.
      return this.#scheduler.isBehind ? Promise.all([looked, taken]).then(() => undefined) : taken;
    }
    for (const line of lines) this.#judge.line(line, true);
    return taken;
  }

  /** More than is looked at at once; and nothing is looked at before what came earlier. */
  #isLong(lines: readonly Line[]): boolean {
    return lines.length > linesPerLook || (lines.length > 0 && this.#scheduler.isBusy);
  }

  async #lookAtMany(lines: readonly Line[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      this.#judge.line(line, true);
      if (index % linesPerLook === 0 && this.#scheduler.shouldYield)
        await this.#scheduler.nextTurn();
    }
  }

  #pushHeld(lines: readonly Line[]): Promise<void> | undefined {
    if (this.#isLong(lines) || lines.some((line) => !line.bytes)) {
      return this.#passMany(lines);
    }
    const taken = this.#outbox.write(
      joinBytes(lines.flatMap((line) => bytesOf(this.#judged(line)))),
    );
    this.#judge.passed(lines.length);
    return taken;
  }

  /** Judges first and passes on then: who waits for a reader must not keep the other side from judging. */
  async #passMany(lines: readonly Line[]): Promise<void> {
    const judged: Judged[] = [];
    await this.#scheduler.defer(async () => {
      for (const [index, line] of lines.entries()) {
        judged.push(this.#judged(line));
        if (index % linesPerLook === 0 && this.#scheduler.shouldYield)
          await this.#scheduler.nextTurn();
      }
    });
    for (const one of judged) {
      if (!one.line.bytes) await this.#drain(one);
      for (const bytes of bytesOf(one)) await this.#outbox.write(bytes);
      this.#judge.passed(1);
    }
  }

  #judged(line: Line): Judged {
    const passedBytes = this.#passedBytes;
    this.#passedBytes = 0;
    return { line, passing: this.#judge.line(line, false), passedBytes };
  }

  /** Sends the line that is in the overflow file, or lets it go. */
  async #drain({ passing, passedBytes }: Judged): Promise<void> {
    // A line that was too long already when it began to be held is there without what had passed.
    const skipped = passedBytes > lineObservedBytesMax ? 0 : passedBytes;
    await this.#overflow.drain(passing === true ? this.#outbox : undefined, skipped);
  }
}

/** What goes out of a line in memory: its bytes, or what goes instead after the torn end of what has passed. */
function bytesOf({ line, passing, passedBytes }: Judged): readonly Uint8Array[] {
  if (passing === true) return line.bytes ? [line.bytes.subarray(passedBytes)] : [];
  const torn = passedBytes === 0 ? [] : [Uint8Array.of(newline)];
  return passing === false ? torn : [...torn, ...passing];
}
