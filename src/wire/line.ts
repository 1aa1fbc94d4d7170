import { crumbBytesMax, crumbsMax, lineObservedBytesMax } from "#limits/lines.ts";
import { newline } from "./ascii.ts";
import { joinBytes } from "./bytes.ts";
import type { Skim } from "./skim.ts";
import { Skimmer } from "./skimmer.ts";

/** One line as it crossed the pipe. */
export type Line = {
  /** The line with its own newline; undefined when it was longer than `lineObservedBytesMax`. */
  readonly bytes: Uint8Array | undefined;
  /** Bytes on the wire, newline included. */
  readonly size: number;
  /** The structure of a line whose bytes were not kept. */
  readonly skim: Skim | undefined;
};

/** Receives all bytes of a line that is too long to be kept. */
export type Overflow = { append(part: Uint8Array): void };

/**
 * Puts a line together from its parts, which may be views. Keeps at most `observedMax` bytes of it; a longer one is skimmed
 * instead and goes to `overflow`.
 */
export class LineGatherer {
  readonly #observedMax: number;
  readonly #overflow: Overflow | undefined;
  #kept: Uint8Array[] = [];
  /** How many of the last kept parts are crumbs. */
  #crumbs = 0;
  #size = 0;
  #skimmer: Skimmer | undefined;

  constructor(observedMax: number = lineObservedBytesMax, overflow?: Overflow) {
    this.#observedMax = observedMax;
    this.#overflow = overflow;
  }

  /** The line will have that number of bytes: of one that is too long, nothing is kept from the start. */
  expect(bytes: number): void {
    if (bytes > this.#observedMax && this.#size === 0) this.#skimmer = new Skimmer();
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** True within a line that is too long: no part of it is kept. */
  get isSkimming(): boolean {
    return this.#skimmer !== undefined;
  }

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#skimmer) {
      this.#skimmer.push(part);
      this.#overflow?.append(part);
    } else if (this.#size <= this.#observedMax) {
      this.#keep(part);
    } else {
      this.#skimmer = new Skimmer();
      for (const kept of [...this.#kept, part]) {
        this.#skimmer.push(kept);
        this.#overflow?.append(kept);
      }
      this.#kept = [];
      this.#crumbs = 0;
    }
  }

  /** Joins crumbs as they add up: each takes more memory than its bytes. */
  #keep(part: Uint8Array): void {
    this.#kept.push(part);
    this.#crumbs = part.length < crumbBytesMax ? this.#crumbs + 1 : 0;
    if (this.#crumbs < crumbsMax) return;
    this.#kept.push(joinBytes(this.#kept.splice(-crumbsMax)));
    this.#crumbs = 0;
  }

  /** The line; the next one begins. */
  take(): Line {
    const line = {
      bytes: this.#skimmer ? undefined : joinBytes(this.#kept),
      size: this.#size,
      skim: this.#skimmer?.skim(),
    };
    this.#kept = [];
    this.#crumbs = 0;
    this.#size = 0;
    this.#skimmer = undefined;
    return line;
  }
}

/**
 * Cuts a byte stream into lines at 0x0A and nowhere else, however the chunks are cut. Keeps at most
 * `observedMax` bytes of a line; a longer one is skimmed instead and goes to `overflow`.
 */
export class LineSplitter {
  readonly #line: LineGatherer;

  constructor(observedMax: number = lineObservedBytesMax, overflow?: Overflow) {
    this.#line = new LineGatherer(observedMax, overflow);
  }

  /** Lines that this chunk completes, in order. They may be views of `chunk`. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(newline, from);
      if (at < 0) break;
      this.#line.add(chunk.subarray(from, at + 1));
      lines.push(this.#line.take());
      from = at + 1;
    }
    if (from < chunk.length) this.#line.add(chunk.subarray(from));
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): Line | undefined {
    return this.atBoundary ? undefined : this.#line.take();
  }

  /** True between two lines: no part of an unfinished line was pushed. */
  get atBoundary(): boolean {
    return this.#line.size === 0;
  }
}
