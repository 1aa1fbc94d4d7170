import { turnChunksMax } from "#limits/forwarding.ts";
import type { LineScheduler } from "./line-scheduler.ts";

/** A byte stream that is read chunk by chunk; a chunk without a value is its end. */
export type ChunkSource = {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
};

/** Takes the chunks of a source. A promise is back-pressure: it resolves when the next chunk may come. */
export type ChunkTarget = {
  push(chunk: Uint8Array): Promise<void> | undefined;
  end(): Promise<void> | undefined;
};

/**
 * Moves all chunks of a source to a target, one at a time: the next chunk is read when the kernel has taken the
 * last one, so a reader that stops reading stops the writer. Resolves at the end of the source, or as soon as
 * `isBroken` says that the target has lost its reader.
 */
export async function pump(
  source: ChunkSource,
  target: ChunkTarget,
  scheduler: LineScheduler,
  isBroken: () => boolean,
): Promise<void> {
  let moved = 0;
  for (let chunk = await next(source); chunk; chunk = await next(source)) {
    await target.push(chunk);
    if (isBroken()) return;
    moved += 1;
    if (moved % turnChunksMax === 0) await scheduler.nextTurn();
  }
  await target.end();
}

/** The next chunk; undefined at the end. A source that fails has ended. */
async function next(source: ChunkSource): Promise<Uint8Array | undefined> {
  try {
    const { value } = await source.read();
    return value;
  } catch {
    return undefined;
  }
}
