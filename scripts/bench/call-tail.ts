import { closeSync, openSync, readSync } from "node:fs";
import { newline } from "#wire/ascii.ts";

const readBytes = 1024 * 1024;
const callMarker = Buffer.from('"type":"call"');

/** Counts the call records of a file while others append to it; each byte is read once. */
export class CallTail {
  readonly #path: string;
  readonly #buffer = Buffer.allocUnsafe(readBytes);
  #descriptor: number | undefined;
  #offset = 0;
  #calls = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads what is new and returns how many call records are there as whole lines; 0 while there is no file. */
  poll(): number {
    this.#descriptor ??= openOrUndefined(this.#path);
    if (this.#descriptor === undefined) return 0;
    for (;;) {
      const read = readSync(this.#descriptor, this.#buffer, 0, readBytes, this.#offset);
      const whole = this.#buffer.subarray(0, read).lastIndexOf(newline) + 1;
      if (whole === 0) return this.#calls;
      this.#calls += count(this.#buffer.subarray(0, whole), callMarker);
      this.#offset += whole;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}

function count(bytes: Buffer, marker: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + marker.length)) {
    found++;
  }
  return found;
}
