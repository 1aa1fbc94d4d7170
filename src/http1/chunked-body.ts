import { chunkLineBytesMax, trailerBytesMax } from "#limits/http.ts";
import { newline } from "#wire/ascii.ts";
import { malformed } from "./http-fault.ts";

const sizeLine = /^([0-9a-f]{1,13})[ \t]*(?:;[^\r\n]*)?\r?$/i;

/** Takes the framing off a chunked body (RFC 9112 7.1); extensions and trailers are left out. */
export class ChunkedBody {
  /** Bytes of the chunk that have not come. */
  #left = 0;
  #state: "size" | "data" | "dataEnd" | "trailer" | "over" = "size";
  /** The start of a line that is not complete. */
  #line = "";
  #trailerBytes = 0;

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** Hands on the bytes of the body; returns those behind its end. Throws HttpFault. */
  push(bytes: Uint8Array, take: (piece: Uint8Array) => void): Uint8Array {
    let at = 0;
    while (at < bytes.length && this.#state !== "over") {
      if (this.#state === "data") {
        const piece = bytes.subarray(at, at + this.#left);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#state = "dataEnd";
        take(piece);
        continue;
      }
      const end = bytes.indexOf(newline, at);
      this.#extend(bytes, at, end < 0 ? bytes.length : end);
      if (end < 0) return bytes.subarray(bytes.length);
      at = end + 1;
      this.#endLine();
    }
    return bytes.subarray(at);
  }

  #extend(bytes: Uint8Array, from: number, to: number): void {
    if (this.#line.length + to - from > chunkLineBytesMax) throw malformed();
    this.#line += Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = "";
    if (this.#state === "trailer") this.#endTrailer(line);
    else if (this.#state === "size") this.#beginChunk(line);
    else if (line === "" || line === "\r") this.#state = "size";
    else throw malformed();
  }

  #beginChunk(line: string): void {
    const [, size] = sizeLine.exec(line) ?? [];
    if (size === undefined) throw malformed();
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left > 0 ? "data" : "trailer";
  }

  #endTrailer(line: string): void {
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > trailerBytesMax) throw malformed();
    if (line === "" || line === "\r") this.#state = "over";
  }
}
