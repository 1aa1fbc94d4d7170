import { LineGatherer } from "#wire/line.ts";
import {
  parseContentCoding,
  type ContentCoding,
  BodyDecoder,
  type BodyForm,
} from "./body-decoder.ts";
import { EventReader, type ServerEvent } from "#wire/endpoint/event-reader.ts";
import { passUnchanged, type MessageVerdict } from "./verdict.ts";

// Reads a copy of an answer's body. The next chunk waits for a returned promise.
export type AnswerReader = {
  readonly push: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly end: () => Promise<void> | undefined;
  readonly firstEventType: () => string | undefined;
  // The rest of the answer may come on another stream.
  readonly isResumable: () => boolean;
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

export class MeteringGuard {
  readonly #failed: (what: string) => void;
  #hasFailed = false;

  constructor(failed: (what: string) => void) {
    this.#failed = failed;
  }

  async run(act: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return;
    try {
      await act();
    } catch (error) {
      this.#fail(error);
    }
  }

  judge(
    act: () => MessageVerdict | Promise<MessageVerdict>,
  ): MessageVerdict | Promise<MessageVerdict> {
    try {
      const verdict = this.#hasFailed ? passUnchanged : act();
      return verdict instanceof Promise
        ? verdict.catch((error: unknown) => this.#failOpen(error))
        : verdict;
    } catch (error) {
      return this.#failOpen(error);
    }
  }

  #failOpen(error: unknown): MessageVerdict {
    this.#fail(error);
    return passUnchanged;
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    // An error's message may quote the traffic; its name cannot.
    this.#failed(error instanceof Error ? error.name : "unknown");
  }
}
