import { EventReader } from "#wire/endpoint/event-reader.ts";
import { nextTurn } from "./forwarded-chunks.ts";

// Where limits are enforced: the old transport sends the first event with its head.
const firstEventMaxMs = 500;

// The old transport sends nothing before its first event.
const firstEventBytesMax = 64 * 1024;

type OpenedStream = { readonly isOld: boolean; readonly body: ReadableStream<Uint8Array> };

/** Waits a moment for the first event of a stream: is it the `endpoint` of the old HTTP+SSE transport (2024-11-05), whose messages pass elsewhere? */
export async function openStream(stream: ReadableStream<Uint8Array>): Promise<OpenedStream> {
  const [copy, body] = stream.tee();
  const source = copy.getReader();
  const reader = new EventReader(() => undefined);
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), firstEventMaxMs);
  try {
    for (let size = 0; reader.firstType === undefined && size < firstEventBytesMax;) {
      const read = await Promise.race([source.read(), late.promise]);
      if (!read?.value) break;
      reader.push(read.value.subarray(0, firstEventBytesMax));
      size += read.value.length;
      // A stream that never waits would keep the timer from ending it.
      await nextTurn();
    }
  } catch {
    // The body fails in the same way.
  } finally {
    clearTimeout(timer);
    void source.cancel().catch(() => undefined);
  }
  return { isOld: reader.firstType === "endpoint", body };
}
