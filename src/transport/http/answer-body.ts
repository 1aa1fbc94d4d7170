import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  constants,
} from "node:zlib";
import { isEventStream, readMediaType } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead } from "./relay.ts";
import { isRedirect } from "./redirects.ts";
import { LineGatherer } from "#wire/line.ts";
import { EventReader, type ServerEvent } from "#wire/endpoint/event-reader.ts";

// A compressed megabyte can expand to a gigabyte.
export const decodedBytesMax = 64 * 1024 * 1024;

const decoders = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  "x-gzip": () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
};

export type ContentCoding = keyof typeof decoders;

export function parseContentCoding(header: string | null): ContentCoding | "none" | undefined {
  const name = (header ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return "none";
  return isContentCoding(name) ? name : undefined;
}

function isContentCoding(name: string): name is ContentCoding {
  return Object.hasOwn(decoders, name);
}

export class BodyDecoder {
  readonly #stream: ReturnType<(typeof decoders)[ContentCoding]>;
  #decodedBytes = 0;
  #isOver = false;
  #isBroken = false;
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

  get isBroken(): boolean {
    return this.#isBroken;
  }

  // Call this when a message is complete: the limit is per message.
  resetLimit(): void {
    this.#decodedBytes = 0;
  }

  push(chunk: Uint8Array): Promise<void> {
    return this.#runUntilDone((done) => this.#stream.write(chunk, done));
  }

  end(): Promise<void> {
    return this.#runUntilDone((done) => {
      this.#stream.once("end", done);
      this.#stream.end();
    });
  }

  #runUntilDone(act: (done: () => void) => void): Promise<void> {
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

// `whole`: the body is one message or batch.
export type BodyForm = "events" | "whole";

export function isRejection(head: AnswerHead): boolean {
  return head.status >= 300 && !isRedirect(head);
}

const messagelessStatuses: ReadonlySet<number> = new Set([202, 204]);

// Some clients quote a body of an unsupported type in an error, so the model may read the body.
export function hasUnsupportedType(head: AnswerHead): boolean {
  const { status } = head;
  return (
    status < 300 && !messagelessStatuses.has(status) && classifyBody("POST", head) === undefined
  );
}

// Content types that all clients read alike.
const plainType = /^(?:application\/json|text\/event-stream)(?:; ?charset=utf-8)?$/i;

// Drops parameters that could make a client parse the body in another format or charset.
export function simplifyContentType(headers: Headers): Headers {
  if (plainType.test(headers.get("content-type") ?? "")) return headers;
  const plain = new Headers(headers);
  plain.set("content-type", readMediaType(headers));
  return plain;
}

export function classifyBody(method: string, head: AnswerHead): BodyForm | undefined {
  const { status, headers } = head;
  // Clients read the body of a rejection as text, regardless of its content type.
  if (isRejection(head)) return method === "POST" ? "whole" : undefined;
  if (status >= 300) return undefined;
  // Clients read the answer to a GET as an event stream, regardless of its content type.
  if (method === "GET") return "events";
  if (isEventStream(headers)) return "events";
  return readMediaType(headers) === "application/json" ? "whole" : undefined;
}

// Reads a copy of an answer's body. If `push` returns a promise, the next chunk waits for it.
export type AnswerReader = {
  readonly push: (chunk: Uint8Array) => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  readonly firstEventType: () => string | undefined;
  readonly isResumable: () => boolean; // the rest of the answer may come on another stream
};

export function makeAnswerReader(
  form: BodyForm,
  contentEncoding: string | null,
  take: (event: ServerEvent) => void,
): AnswerReader | undefined {
  const coding = parseContentCoding(contentEncoding);
  if (coding === undefined) return undefined;
  if (coding === "none") return makePlainReader(form, take);
  const reader = makePlainReader(form, (event) => {
    decoder.resetLimit();
    take(event);
  });
  const decoder = new BodyDecoder(coding, (bytes) => void reader.push(bytes));
  return {
    ...reader,
    push: (chunk) => decoder.push(chunk),
    end: () => decoder.end().then(() => reader.end()),
  };
}

function makePlainReader(form: BodyForm, take: (event: ServerEvent) => void): AnswerReader {
  if (form === "events") {
    const events = new EventReader(take);
    return {
      push: (chunk) => events.push(chunk),
      end: () => undefined,
      isResumable: () => events.hasIds,
      firstEventType: () => events.firstType,
    };
  }
  const body = new LineGatherer();
  return {
    push: (chunk) => body.add(chunk),
    end: () => {
      if (body.size > 0) take({ line: body.take(), id: undefined });
    },
    isResumable: () => false,
    firstEventType: () => undefined,
  };
}
