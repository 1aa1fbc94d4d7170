import type { LineScheduler } from "./line-scheduler.ts";

// Counted, because a clock cannot distinguish work from waiting.
const turnChunksMax = 16;

export type ChunkSource = {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
};

/** A promise is back-pressure: it resolves when the next chunk may come. */
export type ChunkTarget = {
  push(chunk: Uint8Array): Promise<void> | undefined;
  end(): Promise<void> | undefined;
};

/** Reads a chunk when the kernel has taken the last one. Ends with the source, or when `isBroken`. */
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

async function next(source: ChunkSource): Promise<Uint8Array | undefined> {
  try {
    const { value } = await source.read();
    return value;
  } catch {
    return undefined;
  }
}
