import type { OverflowFile } from "#state/storage/scratch-paths.ts";
import { newline } from "#kit/text/ascii.ts";
import { joinBytes, LineGatherer } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { EventReader, mayHideField, type ServerEvent } from "#wire/endpoint/event-reader.ts";
import { makeReplacement, type MessageVerdict } from "../verdict.ts";
import { BodyDecoder, type ContentCoding } from "../answer-body.ts";

// The limit is high, because long answers are held in a file. An answer above the limit is replaced by an error.
// An event above the limit ends its stream.
export const heldAnswerBytesMax = 1024 * 1024 * 1024;

export const inMemoryBytesMax = 1024 * 1024;

type EventHolding = {
  readonly judge: (event: ServerEvent) => MessageVerdict | Promise<MessageVerdict>;
  readonly overflow: OverflowFile;
  readonly whenCaughtUp: () => Promise<void> | undefined;
  readonly markResumable: () => void;
};

type LocatedEvent = {
  readonly event: ServerEvent;
  readonly from: number; // where its first data line begins in the chunk; 0 if an earlier chunk has the beginning
  readonly to: number;
};

/** Yields the bytes for the client. Drops an incomplete last event, as clients do. Throws if an event is too long. */
export async function* holdEvents(
  { chunks, onMessageEnd }: ReadableChunks,
  { judge, overflow, whenCaughtUp, markResumable }: EventHolding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const held = new HeldBytes(overflow);
  const located: LocatedEvent[] = [];
  const take = (event: ServerEvent, from: number, to: number): void => {
    located.push({ event, from, to });
    onMessageEnd();
  };
  const takesAll = true;
  const reader = new EventReader(take, undefined, takesAll);
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    reader.push(chunk);
    const events = located.splice(0);
    yield* releaseDecided(chunk, {
      held,
      events,
      judge,
      dataFrom: reader.dataFrom ?? chunk.length,
    });
    if (reader.hasIds) markResumable();
    await whenCaughtUp();
  }
  if (reader.dataFrom !== undefined) held.discard();
  else yield* held.take();
}

type ReleaseContext = Pick<EventHolding, "judge"> & {
  readonly held: HeldBytes;
  readonly events: readonly LocatedEvent[];
  // Bytes from this offset are held: incomplete data, or a line whose field is not known yet.
  // Equals the chunk's length if no bytes are held.
  readonly dataFrom: number;
};

async function* releaseDecided(
  chunk: Uint8Array,
  { held, events, judge, dataFrom }: ReleaseContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const ready: Uint8Array[] = [];
  let passedTo = 0;
  // Passes held bytes that are not part of a message, such as the beginning of an `event` line.
  if ((events[0]?.from ?? dataFrom) > 0) yield* held.take();
  for (const { event: whole, from, to } of events) {
    const event = keepPlainMessage(whole);
    let verdict = judge(event);
    if (verdict instanceof Promise) {
      yield* yieldJoined([...ready.splice(0), chunk.subarray(passedTo, from)]);
      passedTo = from;
      verdict = await verdict;
    }
    if (verdict.passes && event === whole) {
      if (held.size > 0) yield* held.take();
      continue;
    }
    held.discard();
    const replacement = verdict.passes ? event.line.bytes : makeReplacement(verdict);
    const fields = verdict.passes ? event : { id: event.id };
    // Lines before the data of an event always pass. If nothing replaces blocked data, a blank line ends the event.
    ready.push(
      chunk.subarray(passedTo, from),
      replacement ? formatEvent(replacement, fields) : newlineBytes,
    );
    passedTo = to;
  }
  yield* yieldJoined([...ready, chunk.subarray(passedTo, dataFrom)]);
  held.add(chunk.subarray(dataFrom));
}

// `line` also has the lines that only lenient clients read as data. Because of those, we might fail to read an answer
// that most clients read. So if `plainLine`, which lacks them, is a message, it replaces `line`.
function keepPlainMessage(event: ServerEvent): ServerEvent {
  const line = event.plainLine;
  return line && parseMessage(line).kind !== "opaque" ? { ...event, line } : event;
}

function* yieldJoined(chunks: readonly Uint8Array[]): Generator<Uint8Array, void, void> {
  const bytes = joinBytes(chunks);
  if (bytes.length > 0) yield bytes;
}

class HeldBytes {
  readonly #gatherer: LineGatherer;
  readonly #overflow: OverflowFile;

  constructor(overflow: OverflowFile) {
    this.#overflow = overflow;
    const isSkimmed = false;
    this.#gatherer = new LineGatherer(inMemoryBytesMax, overflow, isSkimmed);
  }

  get size(): number {
    return this.#gatherer.size;
  }

  add(bytes: Uint8Array): void {
    if (this.size + bytes.length > heldAnswerBytesMax) {
      this.discard();
      throw new Error("an event that is too long");
    }
    if (bytes.length > 0) this.#gatherer.add(bytes);
  }

  *take(): Generator<Uint8Array, void, undefined> {
    if (this.#gatherer.size === 0) return;
    const { bytes } = this.#gatherer.take();
    if (bytes) yield bytes;
    else yield* this.#overflow.take();
  }

  discard(): void {
    if (this.size === 0) return;
    this.#gatherer.take();
    discardOverflow(this.#overflow);
  }
}

export function discardOverflow(overflow: OverflowFile): void {
  const isDiscarded = true;
  overflow.take(isDiscarded).next();
}

type EventFields = Partial<Pick<ServerEvent, "id" | "type">>;

export function formatEvent(message: Uint8Array, { id, type = "" }: EventFields = {}): Uint8Array {
  const head = [
    ...(id === undefined || mayHideField(encoder.encode(id)) ? [] : [`id: ${id}\n`]),
    // A type that is unsafe to repeat is replaced, not left out: without a type, clients would read the event as a
    // `message`.
    ...(type === "" ? [] : [`event: ${mayHideField(encoder.encode(type)) ? "unclear" : type}\n`]),
  ];
  const data = splitLines(message).flatMap((line) => [dataField, line, newlineBytes]);
  return joinBytes([encoder.encode(head.join("")), ...data, newlineBytes]);
}

const encoder = new TextEncoder();
const dataField = encoder.encode("data: ");
const newlineBytes = Uint8Array.of(newline);

function splitLines(message: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = message.indexOf(newline); at >= 0; at = message.indexOf(newline, from)) {
    lines.push(message.subarray(from, at));
    from = at + 1;
  }
  return from < message.length ? [...lines, message.subarray(from)] : lines;
}

export type ReadableChunks = {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onMessageEnd: () => void;
};

// Decoding throws if the body is damaged or a message is too long. Compressed data may end early without an error.
export function decodeBody(
  body: ReadableStream<Uint8Array>,
  coding: ContentCoding | "none",
): ReadableChunks {
  if (coding === "none") return { chunks: body, onMessageEnd: () => undefined };
  const ready: Uint8Array[] = [];
  const decoder = new BodyDecoder(coding, (bytes) => ready.push(bytes));
  return { chunks: decodeChunks(body, decoder, ready), onMessageEnd: () => decoder.resetLimit() };
}

async function* decodeChunks(
  body: ReadableStream<Uint8Array>,
  decoder: BodyDecoder,
  ready: Uint8Array[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    await decoder.push(chunk);
    yield* ready.splice(0);
    if (decoder.isBroken) throw new Error("a compressed body that cannot be read");
  }
  await decoder.end();
  yield* ready.splice(0);
}
