import { heldEventBytesMax } from "#limits/http.ts";
import type { OverflowFile } from "#storage/overflow-file.ts";
import { newline } from "#wire/ascii.ts";
import { joinBytes } from "#wire/bytes.ts";
import { LineGatherer } from "#wire/line.ts";
import type { ReadableChunks } from "./decoded-chunks.ts";
import { EventReader, linesIn, type ServerEvent } from "#endpoint/event-reader.ts";
import { insteadOf, type Verdict } from "./verdict.ts";

/** Who decides about the events of a stream, and where a long one is kept meanwhile. */
export type EventHolding = {
  readonly judge: (event: ServerEvent) => Promise<Verdict>;
  /** Takes the bytes of an event that is too long for memory. */
  readonly overflow: OverflowFile;
  /** A promise while too much waits to be counted. */
  readonly room: () => Promise<void> | undefined;
  /** The rest of the stream can come on another one. */
  readonly resumable: () => void;
};

/**
 * A stream of events in which each message waits for its verdict: the bytes of those that pass, and of everything that is no
 * message, are the same. An event that the stream does not complete is left out, as clients leave it out.
 */
export async function* heldEvents(
  { chunks, messageEnded }: ReadableChunks,
  { judge, overflow, room, resumable }: EventHolding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const raw = new LineGatherer(heldEventBytesMax, overflow);
  const complete: ServerEvent[] = [];
  const reader = new EventReader((event) => complete.push(event));
  for await (const chunk of chunks) {
    for (const line of linesIn(chunk)) {
      raw.add(line);
      reader.push(line);
      const [event] = complete.splice(0);
      if (event) {
        messageEnded();
        yield* afterVerdict(raw, event, { verdict: await judge(event), overflow });
      } else if (!reader.isInData) {
        yield* heldBytes(raw, overflow);
      }
    }
    if (reader.hasIds) resumable();
    await room();
  }
  if (!reader.isInData) yield* heldBytes(raw, overflow);
  else overflow.take(true).next();
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
  raw: LineGatherer,
  { id }: ServerEvent,
  { verdict, overflow }: { readonly verdict: Verdict; readonly overflow: OverflowFile },
): Generator<Uint8Array, void, undefined> {
  if (verdict.passes) {
    yield* heldBytes(raw, overflow);
    return;
  }
  raw.take();
  overflow.take(true).next();
  const instead = insteadOf(verdict);
  // Lines of the event that came before its data have passed, so it is ended in any case.
  yield instead ? eventOf(instead, id) : newlineBytes;
}

/** The bytes that were gathered; nothing is gathered any more. */
function* heldBytes(
  raw: LineGatherer,
  overflow: OverflowFile,
): Generator<Uint8Array, void, undefined> {
  if (raw.size === 0) return;
  const { bytes } = raw.take();
  if (bytes) yield bytes;
  else yield* overflow.take();
}
