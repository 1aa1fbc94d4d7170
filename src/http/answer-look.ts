import { lineObservedBytesMax } from "#limits/lines.ts";
import { LineGatherer } from "#wire/line.ts";
import { codingOf, type ContentCoding, BodyDecoder } from "./body-decoder.ts";
import type { BodyForm } from "./body-form.ts";
import { EventReader, type ServerEvent } from "#endpoint/event-reader.ts";

/** Reads a copy of the body of an answer, chunk by chunk. Promises are waited for before the next chunk. */
export type AnswerLook = {
  readonly push: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly end: () => Promise<void> | undefined;
  /** True within a message that is too long to be kept: none of its chunks is. */
  readonly isSkimming: () => boolean;
  /** True when the rest of the answer can come on another stream. */
  readonly isResumable: () => boolean;
};

/** Reads a chunk; true where nothing of it is kept, because all of it is within a message that is too long. */
export async function readChunk(look: AnswerLook, chunk: Uint8Array): Promise<boolean> {
  // One that is longer could end such a message, have a short one, and begin the next.
  const wasSkimming = look.isSkimming() && chunk.length <= lineObservedBytesMax;
  await look.push(chunk);
  return wasSkimming && look.isSkimming();
}

type BodyReader = Pick<AnswerLook, "isResumable" | "isSkimming"> & {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
};

/** Reads the messages of an answer; undefined for one that is coded in an unknown way. */
export function lookAt(
  form: BodyForm,
  headers: Headers,
  take: (event: ServerEvent) => void,
): AnswerLook | undefined {
  const coding = codingOf(headers.get("content-encoding"));
  if (coding === undefined) return undefined;
  if (coding !== "none") return decodedLook(form, coding, take);
  return plainLook(readerFor(form, take, Number(headers.get("content-length"))));
}

function plainLook(reader: BodyReader): AnswerLook {
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
    isSkimming: reader.isSkimming,
  };
}

function decodedLook(
  form: BodyForm,
  coding: ContentCoding,
  take: (event: ServerEvent) => void,
): AnswerLook {
  const reader = readerFor(form, (event) => {
    decoder.begin();
    take(event);
  });
  const decoder = new BodyDecoder(coding, (bytes) => reader.push(bytes));
  return {
    push: (chunk) => decoder.push(chunk),
    end: () => decoder.end().then(() => reader.end()),
    isResumable: reader.isResumable,
    isSkimming: () => false,
  };
}

/** `wholeBytes` are those of the whole body, where they are known. */
function readerFor(form: BodyForm, take: (event: ServerEvent) => void, wholeBytes = 0): BodyReader {
  if (form === "events") {
    const events = new EventReader(take);
    return {
      push: (chunk) => events.push(chunk),
      end: () => undefined,
      isResumable: () => events.hasIds,
      isSkimming: () => events.isSkimming,
    };
  }
  const body = new LineGatherer();
  body.expect(wholeBytes);
  return {
    push: (chunk) => body.add(chunk),
    isResumable: () => false,
    isSkimming: () => body.isSkimming,
    end: () => {
      if (body.size > 0) take({ line: body.take(), id: undefined });
    },
  };
}
