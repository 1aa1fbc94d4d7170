import { importLineBytesMax } from "#kit/limits.ts";
import { newline } from "#kit/text/ascii.ts";

/** Keeps an unfinished line, leaves out empty lines; drops and counts a line beyond the limit. */
export class LogLines {
  readonly #take: (line: Uint8Array) => void;
  readonly #bytesMax: number;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #tooLong = 0;

  constructor(take: (line: Uint8Array) => void, bytesMax: number = importLineBytesMax) {
    this.#take = take;
    this.#bytesMax = bytesMax;
  }

  get tooLong(): number {
    return this.#tooLong;
  }

  push(chunk: Uint8Array): void {
    let from = this.#keptBytes === 0 ? firstInked(chunk, 0) : 0;
    for (;;) {
      const end = chunk.indexOf(newline, from);
      if (end < 0) break;
      const part = chunk.subarray(from, end);
      if (this.#keptBytes === 0) this.#takeLine(part);
      else {
        this.#keep(part);
        this.#takeLine(this.#whole());
      }
      this.#kept = [];
      this.#keptBytes = 0;
      from = firstInked(chunk, end + 1);
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  end(): Uint8Array | undefined {
    if (this.#keptBytes <= this.#bytesMax) return this.#whole();
    this.#tooLong += 1;
    return undefined;
  }

  #keep(part: Uint8Array): void {
    this.#keptBytes += part.length;
    if (this.#keptBytes > this.#bytesMax) this.#kept = [];
    // A copy, also of a buffer, whose slice would not be one.
    else this.#kept.push(new Uint8Array(part));
  }

  #whole(): Uint8Array {
    return this.#kept.length === 1 && this.#kept[0] ? this.#kept[0] : Buffer.concat(this.#kept);
  }

  #takeLine(line: Uint8Array): void {
    if (Math.max(line.length, this.#keptBytes) > this.#bytesMax) this.#tooLong += 1;
    else this.#take(line);
  }
}

function firstInked(chunk: Uint8Array, from: number): number {
  let at = from;
  while (chunk[at] === newline) at += 1;
  return at;
}
