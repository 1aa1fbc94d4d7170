/** What a frame between the fuzzer and its fake server means. */
const kinds = ["hello", "data", "end", "exit", "signal"] as const;

/** Kind of a frame. */
export type FrameKind = (typeof kinds)[number];

/** A frame as it was read. */
export type Frame = { readonly kind: FrameKind; readonly payload: Buffer };

const headerBytes = 5;

/** The bytes of a frame: one byte for its kind, four for its length, the payload. */
export function frame(kind: FrameKind, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(kinds.indexOf(kind), 0);
  header.writeUInt32LE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

/** Finds the frames in a stream, however its chunks are cut. */
export class FrameReader {
  #parts: Uint8Array[] = [];
  #size = 0;

  /** The frames that this chunk completes. */
  push(chunk: Uint8Array): Frame[] {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    const frames: Frame[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) frames.push(next);
    return frames;
  }

  #take(): Frame | undefined {
    if (this.#size < headerBytes) return undefined;
    const first = this.#parts[0];
    // Joined only when the frame is whole: a long frame comes in many parts.
    if (first === undefined || first.length < headerBytes) this.#join();
    const end = headerBytes + payloadLength(this.#parts[0] ?? new Uint8Array(headerBytes));
    if (this.#size < end) return undefined;
    const all = this.#join();
    const kind = kinds[all.readUInt8(0)] ?? "data";
    this.#parts = [all.subarray(end)];
    this.#size -= end;
    return { kind, payload: all.subarray(headerBytes, end) };
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }
}

function payloadLength({ buffer, byteOffset }: Uint8Array): number {
  return new DataView(buffer, byteOffset).getUint32(1, true);
}
