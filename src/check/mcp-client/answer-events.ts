import { EventReader, type StreamNote } from "#wire/endpoint/event-reader.ts";
import { isAnswerTo, type RequestId, type Traffic } from "./traffic.ts";
import { answerBytesMax, foreignLinesMax } from "./failure.ts";

// A server may ask for none, and end the stream each time.
const streamReturnMinMs = 100;

// A timer cannot hold any number that a server may name.
const streamReturnMaxMs = 60_000;

/** One event per message; ids and the time before a return stay. A missing answer to `asked` is an error at the end, unless the stream can be resumed. */
export function answerEvents(
  body: ReadableStream<Uint8Array>,
  traffic: Traffic,
  asked: RequestId | undefined,
): ReadableStream<Uint8Array> {
  const events = new AnswerEvents(traffic, asked);
  const chunks = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const chunk = await readChunk(chunks);
        if ("value" in chunk && chunk.value) events.push(chunk.value);
        const isOver = !("value" in chunk) || events.isHopeless;
        const text = events.take(isOver);
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
        if (isOver) {
          if ("error" in chunk && events.isResumable) controller.error(chunk.error);
          else controller.close();
          await chunks.cancel().catch(() => undefined);
          return;
        }
        if (text !== "") return;
      }
    },
    cancel: (reason) => chunks.cancel(reason),
  });
}

type Chunk = { readonly value: Uint8Array } | { readonly error: unknown } | { readonly end: true };

type Chunks = { read(): Promise<{ readonly value?: Uint8Array | undefined }> };

async function readChunk(chunks: Chunks): Promise<Chunk> {
  try {
    const { value } = await chunks.read();
    return value ? { value } : { end: true };
  } catch (error) {
    return { error };
  }
}

class AnswerEvents {
  readonly #traffic: Traffic;
  readonly #asked: RequestId | undefined;
  readonly #reader: EventReader;
  #texts: string[] = [];
  #isAnswered = false;
  #waitingBytes = 0;

  constructor(traffic: Traffic, asked: RequestId | undefined) {
    this.#traffic = traffic;
    this.#asked = asked;
    this.#reader = new EventReader(
      ({ line, id }) => {
        this.#waitingBytes = 0;
        for (const message of traffic.received(line)) this.#add(message, id);
      },
      (note) => this.#texts.push(noteText(note)),
    );
  }

  get isResumable(): boolean {
    return this.#reader.hasIds;
  }

  get isHopeless(): boolean {
    return this.#waitingBytes > answerBytesMax || this.#traffic.foreignLines > foreignLinesMax;
  }

  push(chunk: Uint8Array): void {
    this.#waitingBytes += chunk.length;
    this.#reader.push(chunk);
  }

  /** At the end with an error for a missing answer. */
  take(isOver: boolean): string {
    const isMissing = isOver && this.#asked !== undefined && !this.#isAnswered;
    if (isMissing && (this.isHopeless || !this.isResumable)) {
      const cause = this.isHopeless ? "endless" : "unanswered";
      this.#add(this.#traffic.refused(this.#asked, this.#waitingBytes, cause), undefined);
    }
    const text = this.#texts.join("");
    this.#texts = [];
    return text;
  }

  #add(message: unknown, id: string | undefined): void {
    if (isAnswerTo(message, this.#asked)) this.#isAnswered = true;
    const head = id === undefined ? "" : `id: ${id}\n`;
    this.#texts.push(`${head}data: ${JSON.stringify(message)}\n\n`);
  }
}

function noteText(note: StreamNote): string {
  if ("id" in note) return `id: ${note.id}\ndata:\n\n`;
  const ms = Math.min(Math.max(note.retryMs, streamReturnMinMs), streamReturnMaxMs);
  return `retry: ${ms}\n\n`;
}
