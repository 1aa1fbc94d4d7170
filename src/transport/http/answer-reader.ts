import { LineGatherer } from "#wire/line.ts";
import { parseContentCoding, BodyDecoder, type BodyForm } from "./answer-body.ts";
import { EventReader, type ServerEvent } from "#wire/endpoint/event-reader.ts";

// Reads a copy of an answer's body. If it returns a promise, the next chunk waits for it.
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
