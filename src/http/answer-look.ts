import { EventReader, type ServerEvent } from "#endpoint/event-reader.ts";
import { isEventStream, mediaType } from "#endpoint/media-type.ts";
import { LineGatherer } from "#wire/line.ts";
import { codingOf, type ContentCoding, BodyDecoder } from "./body-decoder.ts";

/** Reads a copy of the body of an answer, chunk by chunk. Promises are waited for before the next chunk. */
export type AnswerLook = {
  readonly push: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly end: () => Promise<void> | undefined;
  /** True when the rest of the answer can come on another stream. */
  readonly isResumable: () => boolean;
};

type BodyReader = Pick<AnswerLook, "isResumable"> & {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
};

/** Reads the messages of an answer; undefined for one that holds none, or that is coded in an unknown way. */
export function lookAt(
  headers: Headers,
  take: (event: ServerEvent) => void,
): AnswerLook | undefined {
  const coding = codingOf(headers.get("content-encoding"));
  if (coding === undefined) return undefined;
  return coding === "none" ? plainLook(headers, take) : decodedLook(headers, coding, take);
}

function plainLook(headers: Headers, take: (event: ServerEvent) => void): AnswerLook | undefined {
  const reader = readerFor(headers, take);
  if (!reader) return undefined;
  return {
    push: (chunk) => {
      reader.push(chunk);
      return undefined;
    },
    end: () => {
      reader.end();
      return undefined;
    },
    isResumable: reader.isResumable,
  };
}

function decodedLook(
  headers: Headers,
  coding: ContentCoding,
  take: (event: ServerEvent) => void,
): AnswerLook | undefined {
  const reader = readerFor(headers, (event) => {
    decoder.begin();
    take(event);
  });
  if (!reader) return undefined;
  const decoder = new BodyDecoder(coding, (bytes) => reader.push(bytes));
  return {
    push: (chunk) => decoder.push(chunk),
    end: () => decoder.end().then(() => reader.end()),
    isResumable: reader.isResumable,
  };
}

function readerFor(headers: Headers, take: (event: ServerEvent) => void): BodyReader | undefined {
  if (isEventStream(headers)) {
    const events = new EventReader(take);
    return {
      push: (chunk) => events.push(chunk),
      end: () => undefined,
      isResumable: () => events.hasIds,
    };
  }
  if (mediaType(headers) !== "application/json") return undefined;
  const body = new LineGatherer();
  return {
    push: (chunk) => body.add(chunk),
    isResumable: () => false,
    end: () => {
      if (body.size > 0) take({ line: body.take(), id: undefined });
    },
  };
}
