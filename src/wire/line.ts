import { lineObservedBytesMax } from "#kit/limits.ts";
import { type Skim, Skimmer } from "./skimmer.ts";
import { backslash, newline, openBrace, space } from "#kit/text/ascii.ts";

export const lineOverheadBytes = 400;

// No reader finds a message in a shorter line: even `{"error":{}}` has 12 bytes.
export const messageBytesMin = 12;

// Longer lines are skimmed for depth and width before they are parsed.
export const lineTrustedBytesMax = 64 * 1024;

// A later chunk of a line is copied if it is smaller than this: a view of it would take more memory.
const smallChunkBytesMax = 1_024;

const bufferBytes = 16 * 1024;

export type Line = {
  readonly bytes: Uint8Array | undefined; // with its newline; undefined beyond `observedBytesMax`
  readonly size: number;
  readonly skim: Skim | undefined; // set for long lines, unless skimming is turned off
  // Set if several lines were grouped because none can hold a message.
  readonly group?: { readonly lines: number; readonly nonBlank: number };
};

type Overflow = { append(bytes: Uint8Array): void };

/** A line of more than `observedBytesMax` bytes goes to `overflow`. */
export class LineGatherer {
  readonly #observedBytesMax: number;
  readonly #overflow: Overflow | undefined;
  readonly #isSkimmed: boolean;
  #chunks: Uint8Array[] = [];
  #buffer: Uint8Array | undefined;
  #bufferedBytes = 0;
  #size = 0;
  #skimmer: Skimmer | undefined;

  constructor(
    observedBytesMax: number = lineObservedBytesMax,
    overflow?: Overflow,
    isSkimmed = true,
  ) {
    this.#observedBytesMax = observedBytesMax;
    this.#overflow = overflow;
    this.#isSkimmed = isSkimmed;
  }

  get size(): number {
    return this.#size + this.#bufferedBytes;
  }

  add(bytes: Uint8Array, from = 0, to: number = bytes.length): void {
    if (to - from < smallChunkBytesMax && this.size > 0) {
      this.#addSmall(bytes, from, to);
      return;
    }
    this.#flushBuffer();
    this.#addChunk(takeView(bytes, from, to));
  }

  #addSmall(bytes: Uint8Array, from: number, to: number): void {
    if (this.#bufferedBytes + to - from > bufferBytes) this.#flushBuffer();
    this.#buffer ??= new Uint8Array(bufferBytes);
    for (let at = from; at < to; at += 1) {
      this.#buffer[this.#bufferedBytes] = bytes[at] ?? 0;
      this.#bufferedBytes += 1;
    }
  }

  #flushBuffer(): void {
    const buffered = this.#buffer?.slice(0, this.#bufferedBytes);
    if (!buffered || this.#bufferedBytes === 0) return;
    this.#bufferedBytes = 0;
    this.#addChunk(buffered);
  }

  #addChunk(bytes: Uint8Array): void {
    const wasInMemory = this.#size <= this.#observedBytesMax;
    this.#size += bytes.length;
    // Skims a long line while it arrives, because skimming it in one step would take too long.
    if (this.#size > lineTrustedBytesMax || this.#size > this.#observedBytesMax) this.#skim(bytes);
    if (this.#size <= this.#observedBytesMax) {
      this.#chunks.push(bytes);
      return;
    }
    if (wasInMemory) for (const chunk of this.#chunks.splice(0)) this.#overflow?.append(chunk);
    this.#overflow?.append(bytes);
  }

  #skim(bytes: Uint8Array): void {
    if (!this.#isSkimmed) return;
    if (!this.#skimmer) {
      this.#skimmer = new Skimmer();
      for (const chunk of this.#chunks) this.#skimmer.push(chunk);
    }
    this.#skimmer.push(bytes);
  }

  take(): Line {
    this.#flushBuffer();
    const line = {
      bytes: this.#size > this.#observedBytesMax ? undefined : joinBytes(this.#chunks),
      size: this.#size,
      skim: this.#skimmer?.skim(),
    };
    this.#chunks = [];
    this.#size = 0;
    this.#skimmer = undefined;
    return line;
  }
}

/** Splits a byte stream at 0x0A and nowhere else. */
export class LineSplitter {
  readonly #line: LineGatherer;

  constructor(observedBytesMax: number = lineObservedBytesMax, overflow?: Overflow) {
    this.#line = new LineGatherer(observedBytesMax, overflow);
  }

  // Returns the lines that this chunk completes; they may be views of it.
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(newline, from);
      if (at < 0) break;
      this.#line.add(chunk, from, at + 1);
      lines.push(this.#line.take());
      from = at + 1;
    }
    if (from < chunk.length) this.#line.add(chunk, from);
    return lines;
  }

  // Like `push`, but groups consecutive lines that cannot hold a message, so that a flood of them is cheap.
  pushGrouped(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    if (!this.isAtBoundary) {
      const at = chunk.indexOf(newline);
      from = at < 0 ? chunk.length : at + 1;
      lines.push(...this.push(chunk.subarray(0, from)));
    }
    while (from < chunk.length) {
      const at = chunk.indexOf(newline, from);
      const to = at < 0 ? chunk.length : at + 1;
      const group = beginsLikeMessage(chunk, from, to) ? undefined : groupNonMessages(chunk, from);
      if (group) {
        lines.push(group);
        from += group.size;
        continue;
      }
      this.#line.add(chunk, from, to);
      if (at >= 0) lines.push(this.#line.take());
      from = to;
    }
    return lines;
  }

  end(): Line | undefined {
    return this.isAtBoundary ? undefined : this.#line.take();
  }

  get isAtBoundary(): boolean {
    return this.#line.size === 0;
  }
}

// Returns a whole chunk without making a view: most chunks are a single line, and making a view costs as much as
// finding the line's end.
function takeView(chunk: Uint8Array, from: number, to: number): Uint8Array {
  return from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to);
}

// A line with the usual beginning of a message is not searched for `method`, `result` or `error`.
const usualBeginning = Buffer.from('{"jsonrpc":"2.0",');
const usualMessageBytesMin = 32;

function beginsLikeMessage(chunk: Uint8Array, from: number, to: number): boolean {
  if (to - from < usualMessageBytesMin) return false;
  for (let at = 0; at < usualBeginning.length; at += 1) {
    if (chunk[from + at] !== usualBeginning[at]) return false;
  }
  return true;
}

// Groups the lines before the first line that is unfinished or may hold a message.
function groupNonMessages(chunk: Uint8Array, from: number): Line | undefined {
  let lines = 0;
  let nonBlank = 0;
  let start = from;
  let isNonBlank = false;
  let hasBrace = false;
  let mayHaveName = false;
  let lastFour = 0;
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? space;
    lastFour = (lastFour << 8) | byte | lowerCaseBit;
    if (byte > space) isNonBlank = true;
    if (byte === openBrace) hasBrace = true;
    if (mayBelongToName(lastFour, byte)) mayHaveName = true;
    if (hasBrace && mayHaveName && at - start >= messageBytesMin) break;
    if (byte !== newline) continue;
    lines += 1;
    if (isNonBlank) nonBlank += 1;
    isNonBlank = hasBrace = mayHaveName = false;
    start = at + 1;
  }
  return makeGroup(chunk.subarray(from, start), { lines, nonBlank });
}

function makeGroup(bytes: Uint8Array, group: Required<Line>["group"]): Line | undefined {
  if (group.lines === 0) return undefined;
  const line = { bytes, size: bytes.length, skim: undefined };
  return group.lines === 1 ? line : { ...line, group };
}

const lowerCaseBit = 0x20;

// True after `meth`, `resu` or `erro` in either letter case. Also true for bytes of escapes, UTF-16 and non-ASCII text.
function mayBelongToName(lastFour: number, byte: number): boolean {
  if (byte === 0 || byte === backslash || byte > 0x7e) return true;
  return lastFour === 0x6d657468 || lastFour === 0x72657375 || lastFour === 0x6572726f;
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
