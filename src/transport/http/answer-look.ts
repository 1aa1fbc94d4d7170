import { LineGatherer } from "#wire/line.ts";
import { codingOf, type ContentCoding, BodyDecoder, type BodyForm } from "./body-decoder.ts";
import { EventReader, type ServerEvent } from "#wire/endpoint/event-reader.ts";
import { asItIs, type MessageVerdict } from "./verdict.ts";

/** Reads a copy of the body of an answer, chunk by chunk. Promises are waited for before the next chunk. */
export type AnswerLook = {
  readonly push: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly end: () => Promise<void> | undefined;
  readonly firstEvent: () => string | undefined;
  /** True when the rest of the answer can come on another stream. */
  readonly isResumable: () => boolean;
};

type BodyReader = Pick<AnswerLook, "isResumable" | "firstEvent"> & {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
};

export function lookAt(
  form: BodyForm,
  coded: string | null,
  take: (event: ServerEvent) => void,
): AnswerLook | undefined {
  const coding = codingOf(coded);
  if (coding === undefined) return undefined;
  if (coding !== "none") return decodedLook(form, coding, take);
  return plainLook(readerFor(form, take));
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
    firstEvent: reader.firstEvent,
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
    firstEvent: reader.firstEvent,
  };
}

function readerFor(form: BodyForm, take: (event: ServerEvent) => void): BodyReader {
  if (form === "events") {
    const events = new EventReader(take);
    return {
      push: (chunk) => events.push(chunk),
      end: () => undefined,
      isResumable: () => events.hasIds,
      firstEvent: () => events.firstType,
    };
  }
  const body = new LineGatherer();
  return {
    push: (chunk) => body.add(chunk),
    isResumable: () => false,
    firstEvent: () => undefined,
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
      const verdict = this.#hasFailed ? asItIs : act();
      return verdict instanceof Promise
        ? verdict.catch((error: unknown) => this.#passes(error))
        : verdict;
    } catch (error) {
      return this.#passes(error);
    }
  }

  #passes(error: unknown): MessageVerdict {
    this.#fail(error);
    return asItIs;
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    // The message of an error may quote the traffic.
    this.#failed(error instanceof Error ? error.name : "unknown");
  }
}
