import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  constants,
} from "node:zlib";

// A compressed megabyte can hold a gigabyte.
export const decodedBytesMax = 64 * 1024 * 1024;

const decoders = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  "x-gzip": () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
};

export type ContentCoding = keyof typeof decoders;

/** The coding of a body by its header; `none` without one, undefined for one that cannot be read. */
export function codingOf(header: string | null): ContentCoding | "none" | undefined {
  const name = (header ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return "none";
  return isDecoder(name) ? name : undefined;
}

function isDecoder(name: string): name is ContentCoding {
  return Object.hasOwn(decoders, name);
}

/** Decodes a copy of a body for reading. A body that is damaged, or too large when decoded, is read up to there. */
export class BodyDecoder {
  readonly #stream: ReturnType<(typeof decoders)[ContentCoding]>;
  #decodedBytes = 0;
  #isOver = false;
  #isBroken = false;
  /** Resolves the promise that the last chunk or the end waits for. */
  #done = (): void => undefined;

  constructor(coding: ContentCoding, take: (bytes: Uint8Array) => void) {
    this.#stream = decoders[coding]();
    this.#stream.on("data", (bytes: Buffer) => {
      this.#decodedBytes += bytes.length;
      if (this.#decodedBytes > decodedBytesMax) this.#giveUp();
      if (!this.#isOver) take(bytes);
    });
    this.#stream.on("error", () => this.#giveUp());
    this.#stream.on("close", () => this.#done());
  }

  /** True when the rest is not read: it is damaged, or a message is too large. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The limit begins again: a message is complete. */
  begin(): void {
    this.#decodedBytes = 0;
  }

  push(chunk: Uint8Array): Promise<void> {
    return this.#after((done) => this.#stream.write(chunk, done));
  }

  end(): Promise<void> {
    return this.#after((done) => {
      this.#stream.once("end", done);
      this.#stream.end();
    });
  }

  #after(act: (done: () => void) => void): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#done = resolve;
      act(resolve);
    });
  }

  #giveUp(): void {
    this.#isOver = true;
    this.#isBroken = true;
    this.#stream.destroy();
  }
}
