import { overflowReadBytesMax } from "#limits/forwarding.ts";
import { heldEventBytesMax } from "#limits/http.ts";
import type { OverflowFile } from "#storage/overflow-file.ts";
import { newline } from "#wire/ascii.ts";
import { joinBytes } from "#wire/bytes.ts";
import { LineGatherer } from "#wire/line.ts";
import type { ReadableChunks } from "./decoded-chunks.ts";
import { EventReader, linesIn, type ServerEvent } from "#endpoint/event-reader.ts";
import { insteadOf, type MessageVerdict } from "../verdict.ts";

/** The decisions about the events of a stream, and the place for a long one meanwhile. */
export type EventHolding = {
  readonly judge: (event: ServerEvent) => Promise<MessageVerdict>;
  /** Takes the bytes of an event that is too long for memory. */
  readonly overflow: OverflowFile;
  /** A promise while too much waits to be counted. */
  readonly room: () => Promise<void> | undefined;
  /** The rest of the stream can come on another one. */
  readonly resumable: () => void;
};

/** The bytes of an event that is not decided: the first ones in memory, the rest of a long one in a file. */
type HeldBytes = { readonly raw: LineGatherer; readonly overflow: OverflowFile };

/**
 * A stream of events in which each message waits for its verdict: the bytes of those that pass, and of everything else, are
 * the same. An event that the stream does not complete is left out, as clients leave it out.
 */
export async function* heldEvents(
  { chunks, messageEnded }: ReadableChunks,
  holding: EventHolding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { overflow, room, resumable } = holding;
  const raw = new LineGatherer(heldEventBytesMax, overflow);
  const complete: ServerEvent[] = [];
  const reader = new EventReader((event) => {
    complete.push(event);
    messageEnded();
  });
  for await (const chunk of chunks) {
    yield* together(decidedParts(chunk, { raw, reader, complete, ...holding }));
    if (reader.hasIds) resumable();
    await room();
  }
  if (reader.isInData) overflow.take(true).next();
  else yield* takeHeld({ raw, overflow });
}

type Deciding = HeldBytes &
  Pick<EventHolding, "judge"> & {
    readonly reader: EventReader;
    /** The events that the last line completed: one at most. */
    readonly complete: ServerEvent[];
  };

/** The parts of a chunk that are decided, and those that were held before it. */
async function* decidedParts(
  chunk: Uint8Array,
  { raw, overflow, reader, complete, judge }: Deciding,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const line of linesIn(chunk)) {
    raw.add(line);
    reader.push(line);
    const [event] = complete.splice(0);
    if (event) yield* afterVerdict(await judge(event), event.id, { raw, overflow });
    else if (!reader.isInData) yield* takeHeld({ raw, overflow });
  }
}

/** The same parts, short ones joined: a chunk may have hundreds of lines. */
async function* together(
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const ready: Uint8Array[] = [];
  for await (const part of parts) {
    ready.push(part);
    if (part.length >= overflowReadBytesMax) yield joinBytes(ready.splice(0));
  }
  if (ready.length > 0) yield joinBytes(ready);
}

/** An event with this message, each line of it as a line of data. */
export function eventOf(message: Uint8Array, id?: string): Uint8Array {
  const head = id === undefined ? [] : [encoder.encode(`id: ${id}\n`)];
  const data = linesOf(message).flatMap((line) => [dataHead, line, newlineBytes]);
  return joinBytes([...head, ...data, newlineBytes]);
}

const encoder = new TextEncoder();
const dataHead = encoder.encode("data: ");
const newlineBytes = Uint8Array.of(newline);

/** The lines of a message without their ends. */
function linesOf(message: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = message.indexOf(newline); at >= 0; at = message.indexOf(newline, from)) {
    lines.push(message.subarray(from, at));
    from = at + 1;
  }
  return from < message.length ? [...lines, message.subarray(from)] : lines;
}

function* afterVerdict(
  verdict: MessageVerdict,
  id: string | undefined,
  { raw, overflow }: HeldBytes,
): Generator<Uint8Array, void, undefined> {
  if (verdict.passes) {
    yield* takeHeld({ raw, overflow });
    return;
  }
  raw.take();
  overflow.take(true).next();
  const instead = insteadOf(verdict);
  // Lines of the event that came before its data have passed, so it is ended in any case.
  yield instead ? eventOf(instead, id) : newlineBytes;
}

/** The bytes that were gathered; nothing is gathered any more. */
function* takeHeld({ raw, overflow }: HeldBytes): Generator<Uint8Array, void, undefined> {
  if (raw.size === 0) return;
  const { bytes } = raw.take();
  if (bytes) yield bytes;
  else yield* overflow.take();
}
