import { lineObservedBytesMax } from "#limits.ts";
import { type Skim, Skimmer } from "./skim.ts";

/** One line as it crossed the pipe. */
export type Line = {
  /** The line with its own newline, or undefined when it was longer than `lineObservedBytesMax`. */
  readonly bytes: Uint8Array | undefined;
  /** Bytes on the wire, newline included. */
  readonly size: number;
  /** The structure of a line whose bytes were not kept. */
  readonly skim: Skim | undefined;
};

const newline = 0x0a;

/**
 * Cuts a byte stream into lines at 0x0A and nowhere else, whatever the chunks. Keeps at most
 * `observedMax` bytes of a line; the rest of a longer one is skimmed and let go.
 */
export class LineSplitter {
  readonly #observedMax: number;
  #kept: Uint8Array[] = [];
  #size = 0;
  #skimmer: Skimmer | undefined;

  constructor(observedMax: number = lineObservedBytesMax) {
    this.#observedMax = observedMax;
  }

  /** Lines completed by this chunk, in order. They may be views of `chunk`. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(newline, from);
      if (at < 0) break;
      this.#add(chunk.subarray(from, at + 1));
      lines.push(this.#take());
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    return lines;
  }

  /** The last line when the stream ended without a newline. */
  end(): Line | undefined {
    return this.#size === 0 ? undefined : this.#take();
  }

  /** True between two lines: nothing of an unfinished line has passed. */
  get atBoundary(): boolean {
    return this.#size === 0;
  }

  #add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#skimmer) {
      this.#skimmer.push(part);
    } else if (this.#size <= this.#observedMax) {
      this.#kept.push(part);
    } else {
      this.#skimmer = new Skimmer();
      for (const kept of this.#kept) this.#skimmer.push(kept);
      this.#skimmer.push(part);
      this.#kept = [];
    }
  }

  #take(): Line {
    const line = {
      bytes: this.#skimmer ? undefined : joined(this.#kept),
      size: this.#size,
      skim: this.#skimmer?.skim(),
    };
    this.#kept = [];
    this.#size = 0;
    this.#skimmer = undefined;
    return line;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
