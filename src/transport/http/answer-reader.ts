import { LineGatherer } from "#wire/line.ts";
import {
  parseContentCoding,
  type ContentCoding,
  BodyDecoder,
  type BodyForm,
} from "./answer-body.ts";
import { EventReader, type ServerEvent } from "#wire/endpoint/event-reader.ts";

// Reads a copy of an answer's body. If it returns a promise, the next chunk waits for it.
export type AnswerReader = {
  readonly push: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly end: () => Promise<void> | undefined;
  readonly firstEventType: () => string | undefined;
  readonly isResumable: () => boolean; // the rest of the answer may come on another stream
};

type BodyReader = Pick<AnswerReader, "isResumable" | "firstEventType"> & {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
};

export function makeAnswerReader(
  form: BodyForm,
  contentEncoding: string | null,
  take: (event: ServerEvent) => void,
): AnswerReader | undefined {
  const coding = parseContentCoding(contentEncoding);
  if (coding === undefined) return undefined;
  if (coding !== "none") return makeDecodingReader(form, coding, take);
  return makePlainReader(makeBodyReader(form, take));
}

function makePlainReader(reader: BodyReader): AnswerReader {
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
    firstEventType: reader.firstEventType,
  };
}

function makeDecodingReader(
  form: BodyForm,
  coding: ContentCoding,
  take: (event: ServerEvent) => void,
): AnswerReader {
  const reader = makeBodyReader(form, (event) => {
    decoder.resetLimit();
    take(event);
  });
  const decoder = new BodyDecoder(coding, (bytes) => reader.push(bytes));
  return {
    push: (chunk) => decoder.push(chunk),
    end: () => decoder.end().then(() => reader.end()),
    isResumable: reader.isResumable,
    firstEventType: reader.firstEventType,
  };
}

function makeBodyReader(form: BodyForm, take: (event: ServerEvent) => void): BodyReader {
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
    isResumable: () => false,
    firstEventType: () => undefined,
    end: () => {
      if (body.size > 0) take({ line: body.take(), id: undefined });
    },
  };
}
