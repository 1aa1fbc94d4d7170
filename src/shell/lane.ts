import { lineObservedBytesMax } from "#limits.ts";
import { joinBytes } from "#wire/bytes.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import type { Outbox } from "./outbox.ts";
import type { OverflowFile } from "./overflow-file.ts";
import type { Turns } from "./turns.ts";

/** Judges the lines of one direction. Never throws, never waits. */
export type Judge = {
  /** False keeps a line that is being held from passing. */
  line(line: Line): boolean;
  /** True when lines must be judged before they pass. */
  holds(): boolean;
};

/** Lines looked at between two looks at the clock. */
const linesPerLook = 32;

const newline = 0x0a;

/**
 * One direction of the pipe. Open, it forwards every chunk as it comes and only then looks at the lines in
 * it; while something must be held it forwards line by line, what passes. It changes over only between
 * two lines.
 */
export class Lane {
  readonly #outbox: Outbox;
  readonly #turns: Turns;
  readonly #judge: Judge;
  readonly #overflow: OverflowFile;
  readonly #splitter: LineSplitter;
  #isHolding = false;

  constructor(outbox: Outbox, turns: Turns, judge: Judge, overflow: OverflowFile) {
    this.#outbox = outbox;
    this.#turns = turns;
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
    if (this.#splitter.atBoundary) this.#isHolding = this.#judge.holds();
    if (this.#isHolding) return this.#pushHeld(this.#splitter.push(chunk));
    // A line that began open must pass to its end, even when the next one is to be held.
    const cut = this.#splitter.atBoundary || !this.#judge.holds() ? 0 : chunk.indexOf(newline) + 1;
    if (cut === 0 || cut === chunk.length) return this.#pushOpen(chunk);
    return this.#pushBoth(chunk.subarray(0, cut), chunk.subarray(cut));
  }

  /** The stream has ended; what is left goes out, the pipe stays open. */
  end(): Promise<void> | undefined {
    const last = this.#splitter.end();
    if (!last) return undefined;
    if (this.#isHolding) return this.#pushHeld([last]);
    if (this.#turns.isLooking) return this.#turns.look(() => this.#lookAtMany([last]));
    this.#judge.line(last);
    return undefined;
  }

  #pushOpen(chunk: Uint8Array): Promise<void> | undefined {
    const taken = this.#outbox.write(chunk);
    const lines = this.#splitter.push(chunk);
    if (this.#isLong(lines)) {
      const looked = this.#turns.look(() => this.#lookAtMany(lines), chunk.length);
      // A burst passes at once and is looked at meanwhile; only a flood waits.
      return this.#turns.isBehind ? Promise.all([looked, taken]).then(() => undefined) : taken;
    }
    for (const line of lines) this.#judge.line(line);
    return taken;
  }

  /** More than is looked at at once; and nothing is looked at before what came earlier. */
  #isLong(lines: readonly Line[]): boolean {
    return lines.length > linesPerLook || (lines.length > 0 && this.#turns.isLooking);
  }

  async #lookAtMany(lines: readonly Line[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      this.#judge.line(line);
      if (index % linesPerLook === 0 && this.#turns.isOver) await this.#turns.next();
    }
  }

  async #pushBoth(open: Uint8Array, rest: Uint8Array): Promise<void> {
    await this.#pushOpen(open);
    await this.push(rest);
  }

  #pushHeld(lines: readonly Line[]): Promise<void> | undefined {
    if (this.#isLong(lines) || lines.some((line) => !line.bytes)) {
      return this.#passMany(lines);
    }
    const passed = lines.filter((line) => this.#judge.line(line));
    return this.#outbox.write(joinBytes(passed.flatMap(({ bytes }) => bytes ?? [])));
  }

  /** Judges first and passes on then: who waits for a reader must not keep the other side from judging. */
  async #passMany(lines: readonly Line[]): Promise<void> {
    const judged: { readonly line: Line; readonly passes: boolean }[] = [];
    await this.#turns.look(async () => {
      for (const [index, line] of lines.entries()) {
        judged.push({ line, passes: this.#judge.line(line) });
        if (index % linesPerLook === 0 && this.#turns.isOver) await this.#turns.next();
      }
    });
    for (const { line, passes } of judged) {
      if (!line.bytes) await this.#overflow.drain(passes ? this.#outbox : undefined);
      else if (passes) await this.#outbox.write(line.bytes);
    }
  }
}
