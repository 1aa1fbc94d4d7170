import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  constants,
} from "node:zlib";
import { isEventStream, mediaType } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead } from "./relay.ts";
import { isRedirect } from "./redirects.ts";

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
export function parseContentCoding(header: string | null): ContentCoding | "none" | undefined {
  const name = (header ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return "none";
  return isContentCoding(name) ? name : undefined;
}

function isContentCoding(name: string): name is ContentCoding {
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
  resetLimit(): void {
    this.#decodedBytes = 0;
  }

  push(chunk: Uint8Array): Promise<void> {
    return this.#whenDone((done) => this.#stream.write(chunk, done));
  }

  end(): Promise<void> {
    return this.#whenDone((done) => {
      this.#stream.once("end", done);
      this.#stream.end();
    });
  }

  #whenDone(act: (done: () => void) => void): Promise<void> {
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

/** The form of the messages of an answer: a stream of events, or one message or batch that is the whole body. */
export type BodyForm = "events" | "whole";

export function isRejection(head: AnswerHead): boolean {
  return head.status >= 300 && !isRedirect(head);
}

/** Statuses of answers that clients take for one without a message. */
const messagelessStatuses: ReadonlySet<number> = new Set([202, 204]);

/** An answer in which a client must find messages, of a type that none come in: clients differ in the types that they read, and quote others in errors. */
export function isUnreadable(head: AnswerHead): boolean {
  const { status } = head;
  return (
    status < 300 && !messagelessStatuses.has(status) && classifyBody("POST", head) === undefined
  );
}

/** A type that all clients read in the same way. */
const plainType = /^(?:application\/json|text\/event-stream)(?:; ?charset=utf-8)?$/i;

/** The type of messages in place of one with parameters, by which clients choose another form or charset. */
export function withPlainType(headers: Headers): Headers {
  if (plainType.test(headers.get("content-type") ?? "")) return headers;
  const plain = new Headers(headers);
  plain.set("content-type", mediaType(headers));
  return plain;
}

/** The form of an answer to a request with that method; undefined where clients read no message in it. */
export function classifyBody(method: string, head: AnswerHead): BodyForm | undefined {
  const { status, headers } = head;
  // Clients read the text of a rejection of any type.
  if (isRejection(head)) return method === "POST" ? "whole" : undefined;
  if (status >= 300) return undefined;
  // They read the answer to GET of any type as a stream of events.
  if (method === "GET") return "events";
  if (isEventStream(headers)) return "events";
  return mediaType(headers) === "application/json" ? "whole" : undefined;
}
